import type { Condition, Evaluation, JsonValue } from '@burgee/evaluation'
import type { RuleOrigin } from './rule-origins.ts'

/** `passed` let the user on, `decided` gave the result, `skipped` was never asked. */
export type StepState = 'passed' | 'decided' | 'skipped'

export const STEPS = ['prerequisites', 'switch', 'rules', 'rollout', 'value'] as const
export type StepName = (typeof STEPS)[number]

/** One step of the order of evaluation (docs/reference/evaluation.md). */
export interface Step {
  readonly name: StepName
  readonly title: string
  readonly state: StepState
  /** What came of it, in words. */
  readonly detail: string
}

export interface ConditionTrace {
  readonly condition: Condition
  readonly isMet: boolean
  /** What the user has there; undefined: nothing. */
  readonly actual: unknown
}

export interface RuleTrace {
  readonly state: 'matched' | 'no_match' | 'not_asked'
  readonly conditions: readonly ConditionTrace[]
  /** Null where the expanded rule matches no rule of the flag as written. */
  readonly origin: RuleOrigin | null
}

export interface PrerequisiteTrace {
  readonly flag_key: string
  /** Null: it need only be on. */
  readonly required_value: JsonValue
  readonly state: 'met' | 'failed' | 'not_asked'
  /** What the flag gives this user when asked for by itself. */
  readonly evaluation: Evaluation
  /** Why it failed, or that it holds. */
  readonly detail: string
}

/** How a flag came to its value for a user. */
export interface Explanation {
  readonly evaluation: Evaluation
  /** The reason in one short sentence. */
  readonly summary: string
  readonly steps: readonly Step[]
  readonly rules: readonly RuleTrace[]
  readonly prerequisites: readonly PrerequisiteTrace[]
  /** Where a prerequisite failed because of its own: the flags from the failed one down to the first cause. */
  readonly failedChain: readonly string[]
}
