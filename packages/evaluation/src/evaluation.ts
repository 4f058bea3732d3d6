import type { JsonValue } from './flag.ts'

/**
 * Why a flag gave its value. The OpenFeature names, and two of our own: `PREREQUISITE_FAILED` and `FLAG_NOT_FOUND`.
 *
 * - `TARGETING_MATCH`: a rule matched (`rule_index`).
 * - `SPLIT`: the user's hash decided. A partial rollout, inside as well as outside, or a weighted variant (`variant_index`).
 * - `STATIC`: everybody gets `default_value`: a full rollout without rules and variants.
 * - `DEFAULT`: nothing singled the user out. A full rollout whose rules did not match, a rollout of 0, or a hash that
 *   could not be taken because there is no user key.
 * - `DISABLED`: `is_enabled` is false.
 * - `PREREQUISITE_FAILED`: the prerequisite named in `prerequisite_key` is not satisfied.
 * - `FLAG_NOT_FOUND`: no such flag, or an archived one.
 * - `ERROR`: the flag is malformed, or reading the attributes failed.
 */
export const REASONS = [
  'TARGETING_MATCH',
  'SPLIT',
  'STATIC',
  'DISABLED',
  'DEFAULT',
  'ERROR',
  'PREREQUISITE_FAILED',
  'FLAG_NOT_FOUND',
] as const
export type Reason = (typeof REASONS)[number]

/**
 * The result of an evaluation. It may be shared between calls: it is frozen, do not change it.
 * `value` is null where the flag has no value to give; the caller's own default applies then.
 */
export interface Evaluation {
  readonly value: JsonValue
  readonly enabled: boolean
  readonly reason: Reason
  /** Index into `rules` of the rule that matched. */
  readonly rule_index?: number
  /** Index into `variants` of the variant that was chosen by weight. */
  readonly variant_index?: number
  /** The first prerequisite that was not satisfied. */
  readonly prerequisite_key?: string
}

/** The one place where results are built: when a flag is compiled, not when it is evaluated. */
export function createEvaluation(
  reason: Reason,
  value: JsonValue,
  enabled: boolean,
  detail?: Pick<Evaluation, 'rule_index' | 'variant_index' | 'prerequisite_key'>,
): Evaluation {
  return Object.freeze({ value, enabled, reason, ...detail })
}
