import type { Evaluation, Reason } from '../evaluation.ts'
import type { JsonValue } from '../flag.ts'

/** The steps of docs/reference/evaluation.md#order-of-evaluation that can decide. */
export type DecidingStep = 'prerequisites' | 'switch' | 'rules' | 'rollout' | 'value'

/** The result of an evaluation with every step to it. */
export interface ExplainedEvaluation extends Evaluation {
  /** Absent for a flag that is unknown or not valid. */
  readonly trace?: Trace
}

/** The steps by which a flag came to its value for one user (docs/trust.md). */
export interface Trace {
  readonly flag_revision?: number
  readonly prerequisites: readonly PrerequisiteTrace[]
  /** The number of prerequisites that the list leaves out. */
  readonly omitted_prerequisites?: number
  readonly switch: 'on' | 'off'
  readonly rules: readonly RuleTrace[]
  /** The number of rules that the list leaves out. */
  readonly omitted_rules?: number
  readonly rollout: RolloutTrace
  readonly value: ValueTrace
  readonly decided: DecidingStep
}

export interface PrerequisiteTrace {
  readonly flag_key: string
  /** Null where the flag only has to be enabled. */
  readonly required_value: JsonValue
  /** A prerequisite after the first that failed is not evaluated. */
  readonly state: 'met' | 'failed' | 'not_evaluated'
  /** The result of the flag; absent where it was not evaluated. */
  readonly value?: JsonValue
  readonly enabled?: boolean
  readonly reason?: Reason
  /** The steps of the flag; absent where the trace has too many already. */
  readonly trace?: Trace
}

/** The written rule that an expanded one comes from. */
export interface RuleOrigin {
  readonly rule_index: number
  /** The segments on the way, each once, in the order of reading. */
  readonly segment_keys: readonly string[]
  /**
   * The chains of segments, each from the one that the rule names down to the last within it. Absent where
   * `segment_keys` is the only chain.
   */
  readonly segment_paths?: readonly (readonly string[])[]
}

export interface RuleTrace {
  readonly index: number
  readonly origin: RuleOrigin
  /** `no_match` where a condition does not hold, or the user is outside the share of the rule. */
  readonly state: 'matched' | 'no_match' | 'not_evaluated'
  /** The own condition of the rule and its further ones; empty for a rule that was not evaluated. */
  readonly conditions: readonly ConditionTrace[]
  readonly omitted_conditions?: number
  /** The share of a rule that has one. */
  readonly rollout?: RolloutTrace
}

export interface ConditionTrace {
  readonly attribute: string
  readonly operator: string
  readonly values: readonly string[]
  readonly omitted_values?: number
  /** True where the user has the attribute, with a value that conditions can compare. */
  readonly is_present: boolean
  /** The value of the attribute; a long one is cut to a text. */
  readonly actual: unknown
  readonly holds: boolean
}

export interface RolloutTrace {
  readonly percentage: number
  /** The bucket of the user, from 0 to `bucket_of - 1`. Null for a user whom nothing places. */
  readonly bucket: number | null
  /** The number of buckets. */
  readonly bucket_of: number
  /** The attribute that is hashed in place of the user key. */
  readonly bucket_by?: string
  readonly salt: string
  readonly inside: boolean
}

export interface ValueTrace {
  /** The place in the flag from which the value comes. */
  readonly from: 'rule' | 'variant' | 'default' | 'disabled'
  /** The place of the user among the weighted variants, from 0 to 1. */
  readonly position?: number
  /** The share of the variant among them, from 0 to 1. */
  readonly share?: number
}
