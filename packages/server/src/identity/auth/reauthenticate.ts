import type { SecondFactor } from '@burgee/contract'
import type { Transaction } from 'kysely'
import type { UserActor } from '../../kernel/actor.ts'
import { forbidden, Refusal, unavailable } from '../../kernel/refusal.ts'
import type { Database, LoginMethod } from '../../platform/db/tables.ts'
import { lockUserForShare } from '../../structure/users/index.ts'
import type { KnownDevice, KnownDevices } from '../passwords/index.ts'
import { type OpenedAccount, type PasswordCheckDeps, verifyPassword } from '../passwords/index.ts'
import { type Proof, type SecondFactors, secondFactorRequired } from '../second-factors/index.ts'
import type { LoginRequest, Sessions } from './sessions.ts'
import { describeWrongProof, verifySecondFactor } from './verify-second-factor.ts'

interface ReauthenticateDeps extends PasswordCheckDeps {
  readonly sessions: Sessions
  readonly knownDevices: KnownDevices
  readonly factors: SecondFactors
}

interface PasswordProof extends LoginRequest {
  readonly password: string
  /** The second factor, which an account that has one must prove too. */
  readonly proof: Proof | null
  readonly devices: readonly KnownDevice[]
}

/**
 * Confirms that the person at a session is its user, with the password and, where the account has one, a
 * second factor; replaces the cookie. Refuses with `forbidden` for a wrong password or code, which count like
 * failed logins, for a missing second factor, and for a token; with `too_many` while the account is locked.
 */
export async function reauthenticate(
  deps: ReauthenticateDeps,
  actor: UserActor,
  request: PasswordProof,
): Promise<Confirmed> {
  const sessionId = requireSessionId(actor)
  const { email, user_id } = actor
  const verdict = await verifyPassword(deps, { ...request, email }, async (account) => {
    const kinds = await deps.factors.kindsOf(deps.db, user_id)
    const confirm = (tx: Transaction<Database>, method: LoginMethod) =>
      confirmSession(deps, tx, { account, method, request, sessionId, user_id })
    return kinds.length === 0
      ? deps.db.transaction().execute((tx) => confirm(tx, 'password'))
      : confirmBoth(deps, { account, confirm, kinds, request })
  })
  if (verdict.kind === 'right') return verdict.result
  const { attempts_remaining } = verdict
  throw new Refusal('forbidden', 'The password is wrong.', { attempts_remaining })
}

/** Returns the id of the actor's session. Refuses a token with `forbidden`. */
export function requireSessionId({ credential }: UserActor): string {
  if (credential.kind === 'session') return credential.sessionId
  throw forbidden('A personal access token is not a session, and needs no confirmation.')
}

interface Confirmed {
  readonly cookies: readonly string[]
}

interface BothProofs {
  readonly account: OpenedAccount
  readonly request: PasswordProof
  readonly kinds: readonly SecondFactor[]
  readonly confirm: (tx: Transaction<Database>, method: LoginMethod) => Promise<Confirmed>
}

/** Confirms a session of an account with a second factor: the password is right already. */
async function confirmBoth(
  deps: ReauthenticateDeps,
  { account: { user }, confirm, kinds, request }: BothProofs,
): Promise<Confirmed> {
  const { address, devices, proof } = request
  if (proof === null) throw secondFactorRequired('forbidden', kinds)
  const verdict = await verifySecondFactor(deps, { user, proof, address, devices }, (tx) =>
    confirm(tx, proof.kind),
  )
  if (verdict.kind === 'right') return verdict.result
  const { attempts_remaining } = verdict
  throw new Refusal('forbidden', describeWrongProof(proof.kind), { attempts_remaining })
}

interface Confirmation {
  readonly account: OpenedAccount
  readonly method: LoginMethod
  readonly request: PasswordProof
  readonly sessionId: string
  readonly user_id: number
}

async function confirmSession(
  deps: ReauthenticateDeps,
  tx: Transaction<Database>,
  { account: { settle, user }, method, request, sessionId, user_id }: Confirmation,
): Promise<Confirmed> {
  await settle(tx)
  // The e-mail may have been given to another account since the session was read.
  if (user.id !== user_id || !(await lockUserForShare(tx, user))) throw changed()
  const { cookie } = await deps.sessions.confirmAuthentication(tx, sessionId, { method, request })
  const known = { userId: user.id, passwordVersion: user.password_version }
  return { cookies: [cookie, deps.knownDevices.remember(request.devices, known)] }
}

const changed = () => unavailable('The account has just changed. Try again.')
