import type { authEndpoints, CurrentUser, SecondFactorProof } from '@burgee/contract'
import { invalid, unauthenticated } from '../../kernel/refusal.ts'
import { clearedSessionCookie } from '../../kernel/session-cookie.ts'
import type { EndpointHandlers } from '../../platform/replies/endpoint-handler.ts'
import { type UpdateUserDeps, updateUser } from '../accounts/index.ts'
import { findProof, type PasskeyRequest, type Proof, type SecondFactors } from '../second-factors/index.ts'
import { type ChangePasswordDeps, changePassword } from './change-password.ts'
import { confirmEmail } from './confirm-email.ts'
import { confirmWithPasskey } from './confirm-with-passkey.ts'
import { toCurrentUser, toSignedInUser, withTokenLimit } from './current-user.ts'
import type { FirstSteps } from './first-step.ts'
import { logIn } from './log-in.ts'
import { logInWithSecondFactor } from './log-in-with-second-factor.ts'
import { logOut } from './log-out.ts'
import { readWorkspace, readWorkspaceSettings } from './queries.ts'
import { reauthenticate } from './reauthenticate.ts'
import { requireException } from './require-exception.ts'
import { updateWorkspace } from './update-workspace.ts'

interface AuthDeps extends ChangePasswordDeps, UpdateUserDeps {
  readonly cookieSecure: boolean
  /** False when people sign in with the identity provider only. */
  readonly hasPasswordLogin: boolean
  /** The setting TOKEN_MAX_DAYS; null without a limit. */
  readonly tokenMaxDays: number | null
  readonly firstSteps: FirstSteps
  readonly factors: SecondFactors
}

export function authHandlers(deps: AuthDeps): EndpointHandlers<typeof authEndpoints> {
  const { tokenMaxDays } = deps
  const withLimits = (user: CurrentUser) => withTokenLimit(user, tokenMaxDays)
  return {
    async login({ address, body: { email, password }, headers }) {
      if (!deps.hasPasswordLogin) await requireException(deps, email)
      const devices = deps.knownDevices.read(headers.cookie)
      const userAgent = headers['user-agent']
      const request = { email, password, address, devices, userAgent }
      const { cookies, user } = await logIn(deps, request)
      return { status: 200, body: withLimits(user), headers: { 'set-cookie': cookies } }
    },
    async loginWithSecondFactor({ address, body, headers, request_id }) {
      const { cookies, user } = await logInWithSecondFactor(deps, {
        first: deps.firstSteps.read(headers.cookie),
        proof: requireProof(body, { host: headers.host, address, request_id }),
        devices: deps.knownDevices.read(headers.cookie),
        address,
        userAgent: headers['user-agent'],
      })
      return { status: 200, body: withLimits(user), headers: { 'set-cookie': cookies } }
    },
    async logout({ actor, headers: { 'user-agent': userAgent } }) {
      await logOut(deps, actor, userAgent)
      const headers = {
        'set-cookie': clearedSessionCookie(deps.cookieSecure),
        // Not "cookies": other services may share the host, and the browser stays known to the login.
        'clear-site-data': '"cache", "storage"',
      }
      return { status: 204, body: null, headers }
    },
    async getCurrentUser({ actor }) {
      // Without a valid session the status is 401 instead of 403 (docs/reference/api.md#statuses), also for a
      // key.
      if (actor.kind !== 'user') throw unauthenticated('Sign in: an SDK key does not belong to a user.')
      const user = await toSignedInUser(deps.db, { ...actor, id: actor.user_id })
      return { status: 200, body: withLimits(user) }
    },
    async updateCurrentUser({ actor, address, body: { name } }) {
      const patch = name === undefined ? {} : { name }
      const { user } = await updateUser(deps, actor, { id: actor.user_id, patch, address })
      return { status: 200, body: withLimits(toCurrentUser(user, await readWorkspace(deps.db))) }
    },
    async confirmOwnEmail({ actor, body }) {
      const user = await confirmEmail(deps, actor, body.email)
      return { status: 200, body: withLimits(await toSignedInUser(deps.db, user)) }
    },
    async changePassword({ actor, address, body, headers: { cookie: cookies } }) {
      const devices = deps.knownDevices.read(cookies)
      const request = { address, change: body, devices }
      const { cookie, warnings } = await changePassword(deps, actor, request)
      const codes = warnings.map(({ code }) => code).join(', ')
      const headers = { 'set-cookie': cookie, ...(codes !== '' && { 'x-warning-codes': codes }) }
      return { status: 204, body: null, headers }
    },
    async reauthenticate({ actor, address, body, headers, request_id }) {
      const devices = deps.knownDevices.read(headers.cookie)
      const { password } = body
      const proof = findProof(body, { host: headers.host, address, request_id })
      const login = { address, userAgent: headers['user-agent'], devices }
      const { cookies } =
        proof?.kind === 'passkey'
          ? await confirmWithPasskey(deps, actor, { ...login, proof: requireAlone(proof, password) })
          : await reauthenticate(deps, actor, { ...login, password: requirePassword(password), proof })
      return { status: 204, body: null, headers: { 'set-cookie': cookies } }
    },
    async updateWorkspace({ actor, body }) {
      return { status: 200, body: await updateWorkspace(deps, actor, body) }
    },
    async getWorkspaceSettings() {
      return { status: 200, body: await readWorkspaceSettings(deps.db) }
    },
    async getWorkspace() {
      const { workspace_name } = await readWorkspace(deps.db)
      return { status: 200, body: { workspace_name } }
    },
  }
}

function requireProof(body: SecondFactorProof, request: PasskeyRequest): Proof {
  const proof = findProof(body, request)
  if (proof === null) {
    throw invalid([{ path: '', message: 'The body must have one of totp, recovery_code, passkey.' }])
  }
  return proof
}

function requirePassword(password: string | undefined): string {
  if (password !== undefined) return password
  throw invalid([{ path: '/password', message: 'is required without a passkey' }])
}

/** A passkey is two factors already: a password beside it would not be checked. */
function requireAlone<P>(proof: P, password: string | undefined): P {
  if (password === undefined) return proof
  throw invalid([{ path: '/password', message: 'is not needed beside a passkey: send one of them' }])
}
