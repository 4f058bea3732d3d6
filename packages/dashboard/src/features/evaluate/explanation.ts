import type { Condition, Evaluation, JsonValue } from '@burgee/evaluation'
import type { RuleOrigin } from './rule-origins.ts'

/** `passed` let the user on, `decided` gave the result, `skipped` was never evaluated. */
export type StepState = 'passed' | 'decided' | 'skipped'

export const STEPS = ['prerequisites', 'switch', 'rules', 'rollout', 'value'] as const
export type StepName = (typeof STEPS)[number]

/** One step of the order of evaluation (docs/reference/evaluation.md). */
export interface Step {
  readonly name: StepName
  readonly title: string
  readonly state: StepState
  /** The outcome in words. */
  readonly detail: string
}

export interface ConditionTrace {
  readonly condition: Condition
  readonly isMet: boolean
  /** The user's value of the attribute; undefined if the user has none. */
  readonly actual: unknown
}

export interface RuleTrace {
  /** `outside`: its tests hold for a user outside its share. */
  readonly state: 'matched' | 'outside' | 'no_match' | 'not_asked'
  readonly conditions: readonly ConditionTrace[]
  readonly origin: RuleOrigin
  /** The percentage of those who match that the rule serves; null if all. */
  readonly share: number | null
}

export interface PrerequisiteTrace {
  readonly flag_key: string
  /** Null: it need only be on. */
  readonly required_value: JsonValue
  readonly state: 'met' | 'failed' | 'not_asked'
  /** The result for this user when the flag is evaluated by itself. */
  readonly evaluation: Evaluation
  /** Why it failed, or that it holds. */
  readonly detail: string
}

/** The steps by which a flag came to its value for a user. */
export interface Explanation {
  readonly evaluation: Evaluation
  /** The reason in one short sentence. */
  readonly summary: string
  readonly steps: readonly Step[]
  readonly rules: readonly RuleTrace[]
  readonly prerequisites: readonly PrerequisiteTrace[]
  /** The flags from the failed prerequisite down to the first cause, if it failed because of its own. */
  readonly failedChain: readonly string[]
}
