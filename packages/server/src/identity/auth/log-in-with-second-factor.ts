import { unauthenticated } from '../../kernel/refusal.ts'
import type { KnownDevice, KnownDevices } from '../passwords/index.ts'
import type { Proof } from '../second-factors/index.ts'
import { toSignedInUser } from './current-user.ts'
import type { FirstStep, FirstSteps } from './first-step.ts'
import type { SignedIn } from './log-in.ts'
import { findLoginUser, lockLoginUser } from './queries.ts'
import type { LoginRequest, Sessions } from './sessions.ts'
import { describeWrongProof, type SecondFactorDeps, verifySecondFactor } from './verify-second-factor.ts'

interface SecondStepDeps extends SecondFactorDeps {
  readonly sessions: Sessions
  readonly knownDevices: KnownDevices
  readonly firstSteps: FirstSteps
}

interface SecondStep extends LoginRequest {
  /** The first step of the browser; null without a valid cookie. */
  readonly first: FirstStep | null
  readonly proof: Proof
  readonly devices: readonly KnownDevice[]
}

/**
 * Completes a login with a second factor. Refuses with `unauthenticated` for a wrong proof, with the
 * remaining attempts, and when the first step is missing, expired or of an account that has changed; with
 * `too_many` while the second step is locked.
 */
export async function logInWithSecondFactor(deps: SecondStepDeps, request: SecondStep): Promise<SignedIn> {
  const { address, devices, first, proof } = request
  const user = first && (await findLoginUser(deps.db, first))
  if (!user) throw stepExpired()
  const verdict = await verifySecondFactor(deps, { user, proof, address, devices }, async (tx) => {
    if (!(await lockLoginUser(tx, user))) throw stepExpired()
    const { cookie } = await deps.sessions.start(tx, { userId: user.id, method: proof.kind, request })
    const account = { userId: user.id, passwordVersion: user.password_version }
    const cookies = [cookie, deps.knownDevices.remember(devices, account), deps.firstSteps.clear()]
    return { cookies, user: await toSignedInUser(tx, user) }
  })
  if (verdict.kind === 'right') return verdict.result
  const { attempts_remaining } = verdict
  throw unauthenticated(describeWrongProof(proof.kind), { attempts_remaining })
}

/** Returns the refusal of a second step without a valid first one. */
export const stepExpired = () =>
  unauthenticated('Enter the password again: the first step of signing in has expired.', {
    reason: 'login_step_expired',
  })
