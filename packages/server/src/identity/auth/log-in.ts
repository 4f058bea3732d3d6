import type { Credentials, CurrentUser } from '@burgee/contract'
import { forbidden, unauthenticated, unavailable } from '../../kernel/refusal.ts'
import { countedNetwork } from '../../platform/client-address.ts'
import { lockUserForShare, replacePasswordHash } from '../../structure/users/index.ts'
import type { KnownDevice, KnownDevices } from '../passwords/index.ts'
import { type OpenedAccount, type PasswordCheckDeps, verifyPassword } from '../passwords/index.ts'
import { type SecondFactors, secondFactorRequired } from '../second-factors/index.ts'
import { toSignedInUser } from './current-user.ts'
import type { FirstSteps } from './first-step.ts'
import type { LoginRequest, Sessions } from './sessions.ts'

interface LogInDeps extends PasswordCheckDeps {
  readonly sessions: Sessions
  readonly knownDevices: KnownDevices
  readonly firstSteps: FirstSteps
  readonly factors: SecondFactors
}

interface LogInRequest extends Credentials, LoginRequest {
  readonly devices: readonly KnownDevice[]
}

export interface SignedIn {
  readonly user: CurrentUser
  /** The values of the Set-Cookie headers: the session, the known browser, and the end of a first step. */
  readonly cookies: readonly string[]
}

/**
 * Signs a user in. Refuses with `unauthenticated` (wrong password, with the remaining attempts) or `too_many`
 * (locked, or the address failed too often). After the right password, it refuses a disabled user with
 * `forbidden`, and an account with a second factor with `unauthenticated` and the cookie of the next step.
 */
export async function logIn(deps: LogInDeps, request: LogInRequest): Promise<SignedIn> {
  const verdict = await verifyPassword(deps, request, (account) => startSession(deps, account, request))
  if (verdict.kind === 'right') return verdict.result
  const { attempts_remaining } = verdict
  throw unauthenticated('The e-mail or the password is wrong.', { attempts_remaining })
}

async function startSession(
  deps: LogInDeps,
  { settle, user }: OpenedAccount,
  request: LogInRequest,
): Promise<SignedIn> {
  if (user.disabled_at !== null) throw accountDisabled()
  const newHash = await renewedHash(deps, user.password_hash, request)
  const kinds = await deps.factors.kindsOf(deps.db, user.id)
  const account = { userId: user.id, passwordVersion: user.password_version }
  const signedIn = await deps.db.transaction().execute(async (tx) => {
    await settle(tx)
    const { id, password_hash } = user
    const isHeld =
      newHash === null
        ? await lockUserForShare(tx, user)
        : await replacePasswordHash(tx, { id, oldHash: password_hash, newHash: newHash })
    if (!isHeld) throw unavailable('The account has just changed. Sign in again.')
    if (kinds.length > 0) return null
    const { cookie } = await deps.sessions.start(tx, { userId: id, method: 'password', request })
    const cookies = [cookie, deps.knownDevices.remember(request.devices, account)]
    return { cookies, user: await toSignedInUser(tx, user) }
  })
  if (signedIn === null) throw secondFactorRequired('unauthenticated', kinds, deps.firstSteps.issue(account))
  return signedIn
}

/**
 * Returns the refusal of a correct password or passkey. Other callers do not learn that the account exists.
 */
export const accountDisabled = () =>
  forbidden('This account is disabled. A workspace admin can enable it.', { reason: 'account_disabled' })

/** Returns the hash of the password with the current parameters; null when the stored one has them. */
async function renewedHash(
  { passwords }: LogInDeps,
  stored: string,
  { address, password }: LogInRequest,
): Promise<string | null> {
  return passwords.isOutdated(stored) ? passwords.hash(password, countedNetwork(address)) : null
}
