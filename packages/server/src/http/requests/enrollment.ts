import type { Endpoint } from '@burgee/contract'
import type { Actor } from '../../kernel/actor.ts'
import { forbidden } from '../../kernel/refusal.ts'

/**
 * Refuses a session that must add a second factor first, except for what adds one
 * (docs/reference/access.md#second-factors).
 */
export function requireEnrolled({ isForEnrollment }: Pick<Endpoint, 'isForEnrollment'>, actor: Actor): void {
  if (isForEnrollment || actor.kind !== 'user' || actor.credential.kind !== 'session') return
  if (!actor.credential.mustEnroll) return
  throw forbidden(
    'This workspace requires a second factor. Add one first: codes with POST /api/auth/factors/totp, a passkey with POST /api/auth/factors/passkeys, or either on the account page.',
    { reason: 'second_factor_enrolment_required' },
  )
}
