import type { JsonValue } from './flag.ts'

/**
 * The reasons of a result: those of OpenFeature, and `PREREQUISITE_FAILED` and `FLAG_NOT_FOUND`.
 *
 * - `TARGETING_MATCH`: a rule matched (`rule_index`).
 * - `SPLIT`: the user's hash decided. A partial rollout, inside and outside of it, or a weighted variant
 *   (`variant_index`).
 * - `STATIC`: the result is the same for every user: a full rollout without rules and variants.
 * - `DEFAULT`: no rule matched and no hash decided: a full rollout whose rules did not match, a rollout of 0,
 *   or weighted variants for an anonymous user.
 * - `DISABLED`: `is_enabled` is false.
 * - `PREREQUISITE_FAILED`: the prerequisite named in `prerequisite_key` is not satisfied.
 * - `FLAG_NOT_FOUND`: no such flag, or an archived one.
 * - `ERROR`: the flag is not valid, or reading the attributes failed.
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
 * The result of an evaluation. It is frozen and may be shared between calls.
 * `value` is null where the flag has no value; the caller's own default applies then.
 */
export interface Evaluation {
  readonly value: JsonValue
  readonly enabled: boolean
  readonly reason: Reason
  /** The index in `rules` of the rule that matched. */
  readonly rule_index?: number
  /** The index in `variants` of the variant that was chosen by weight. */
  readonly variant_index?: number
  /** The first prerequisite that was not satisfied. */
  readonly prerequisite_key?: string
  /** A name for the value (docs/reference/evaluation.md#names-of-variants). */
  readonly variant?: string
  /** The cause of an `ERROR`: an unknown extension, or attributes that are too large. */
  readonly message?: string
}

/** Builds a result. Called when a flag is compiled, never when it is evaluated. */
export type CreateEvaluation = (
  reason: Reason,
  value: JsonValue,
  enabled: boolean,
  detail?: Partial<Evaluation>,
) => Evaluation

export const createEvaluation: CreateEvaluation = (reason, value, enabled, detail) =>
  Object.freeze({ value, enabled, reason, ...detail })
