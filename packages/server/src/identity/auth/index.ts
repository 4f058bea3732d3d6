export { toCurrentUser, withTokenLimit } from './current-user.ts'
export { createFirstSteps } from './first-step.ts'
export { authHandlers } from './handlers.ts'
export { logOut } from './log-out.ts'
export { passkeyLoginHandlers } from './passkey-handlers.ts'
export {
  endProviderSessions,
  keepProviderSession,
} from './provider-session-queries.ts'
export { sessionHandlers } from './session-handlers.ts'
export { createSessions, type LoginRequest, type Sessions } from './sessions.ts'
