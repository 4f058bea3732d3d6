export { seenUserHandlers } from './handlers.ts'
export { reduceSeenUsers } from './queries.ts'
export { type RemoveSeenUserDeps, removeSeenUser } from './remove-seen-user.ts'
export { createSeenUsers } from './seen-users.ts'
