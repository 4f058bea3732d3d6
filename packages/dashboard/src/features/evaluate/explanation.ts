import type { Evaluation } from '@burgee/evaluation'
import type { DecidingStep, Trace } from '@burgee/evaluation/explain'

/** `passed` let the user on, `decided` gave the result, `skipped` was never evaluated. */
export type StepState = 'passed' | 'decided' | 'skipped'

export const STEPS: readonly DecidingStep[] = ['prerequisites', 'switch', 'rules', 'rollout', 'value']

/** One step of the order of evaluation (docs/reference/evaluation.md). */
export interface Step {
  readonly name: DecidingStep
  readonly title: string
  readonly state: StepState
  /** The outcome in words. */
  readonly detail: string
}

/** The steps by which a flag came to its value for a user, in words. */
export interface Explanation extends StepByStep {
  readonly evaluation: Evaluation
}

export interface StepByStep {
  /** The reason in one short sentence. */
  readonly summary: string
  /** Empty for a flag that is unknown or malformed, as is the trace. */
  readonly steps: readonly Step[]
  readonly trace: Trace | undefined
  /** The flags from the failed prerequisite down to the first cause, if it failed because of its own. */
  readonly failedChain: readonly string[]
}
