import type { PasskeyAssertion } from '@burgee/contract'
import { unauthenticated, unavailable } from '../../kernel/refusal.ts'
import { countedNetwork } from '../../platform/client-address.ts'
import type { KnownDevice, KnownDevices } from '../passwords/index.ts'
import { type AttemptDeps, countAddress } from '../passwords/index.ts'
import type { CheckedPasskey, PasskeyRequest, SecondFactors } from '../second-factors/index.ts'
import { toSignedInUser } from './current-user.ts'
import type { FirstSteps } from './first-step.ts'
import { accountDisabled, type SignedIn } from './log-in.ts'
import { findAccount, lockLoginUser } from './queries.ts'
import { requireException } from './require-exception.ts'
import type { LoginRequest, Sessions } from './sessions.ts'

export interface PasskeyLoginDeps extends AttemptDeps {
  readonly sessions: Sessions
  readonly knownDevices: KnownDevices
  readonly firstSteps: FirstSteps
  readonly factors: SecondFactors
  /** False when people sign in with the identity provider only. */
  readonly hasPasswordLogin: boolean
}

interface PasskeyLogin extends LoginRequest, PasskeyRequest {
  readonly assertion: PasskeyAssertion
  readonly devices: readonly KnownDevice[]
}

/**
 * Signs in the owner of a passkey, without a password: the authenticator has verified its user. The lock of
 * the password does not apply, because signatures cannot be guessed. Refuses with `unauthenticated` (an
 * unknown passkey, or a response that is wrong, too old or used before), with `forbidden` (a disabled
 * account, no such logins, or a copied passkey), and with `too_many` an address that failed too often.
 */
export async function logInWithPasskey(deps: PasskeyLoginDeps, request: PasskeyLogin): Promise<SignedIn> {
  const { assertion } = request
  const verdict = await countAddress(deps, countedNetwork(request.address), async () => {
    const checked = await deps.factors.passkeys.check({ assertion, request, purpose: 'login', user_id: null })
    const signedIn = checked && (await startSession(deps, checked, request))
    return signedIn ? ({ kind: 'right', signedIn } as const) : ({ kind: 'wrong' } as const)
  })
  if (verdict.kind === 'right') return verdict.signedIn
  throw unauthenticated(
    'This passkey was not accepted: it is not known here, or its response is too old. Try again, or use your password.',
  )
}

/** Starts the session; null when the response was used before. */
async function startSession(
  deps: PasskeyLoginDeps,
  passkey: CheckedPasskey,
  request: PasskeyLogin,
): Promise<SignedIn | null> {
  const user = await findAccount(deps.db, passkey.user_id)
  if (!user) return null
  if (user.disabled_at !== null) throw accountDisabled()
  if (!deps.hasPasswordLogin) await requireException(deps, user.email, 'Passkeys')
  return deps.db.transaction().execute(async (tx) => {
    if (!(await lockLoginUser(tx, user))) throw unavailable('The account has just changed. Try again.')
    if (!(await passkey.use(tx))) return null
    const proof = { method: 'passkey', passkey: passkey.name } as const
    const { cookie } = await deps.sessions.start(tx, { userId: user.id, ...proof, request })
    const known = { userId: user.id, passwordVersion: user.password_version }
    const cookies = [cookie, deps.knownDevices.remember(request.devices, known), deps.firstSteps.clear()]
    return { cookies, user: await toSignedInUser(tx, user) }
  })
}
