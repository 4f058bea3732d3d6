import type { Invariant, Violation } from '@burgee/contract'
import type { InvariantVerdict } from './decide-invariant.ts'

/**
 * Returns an invariant that does not hold, as the API shows it. Null where it holds, and for one that only
 * warns and cannot be decided.
 */
export function toViolation(
  { enforcement, key }: Pick<Invariant, 'key' | 'enforcement'>,
  decided: InvariantVerdict,
): Violation | null {
  const { verdict } = decided
  if (verdict === 'holds' || (verdict === 'undecided' && enforcement === 'warn')) return null
  const counter_example = verdict === 'violated' ? decided.counterExample : undefined
  return { key, enforcement, verdict, why: decided.why, ...(counter_example && { counter_example }) }
}
