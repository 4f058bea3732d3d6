import type { Fields } from '../assert-valid.ts'
import type { Evaluation } from '../evaluation.ts'
import type { Run } from '../run.ts'
import type { Condition } from '../test-attribute.ts'
import type { ConditionTrace, Trace } from './trace.ts'

export interface Explained {
  readonly evaluation: Evaluation
  readonly trace?: Trace
  /** The number of traces in the trace, itself included. */
  readonly size: number
  /** The levels of prerequisites that were evaluated; infinite where the levels ended before them. */
  readonly depth: number
}

/** A flag with the user as it sees them. */
export interface Subject {
  readonly flag: Fields
  readonly userKey: string | null
  readonly attributes: object
  readonly evaluation: Evaluation
  /** That of the evaluation, which has read the lists. */
  readonly run: Run
  /** The conditions of the flag that the evaluation has compiled. */
  readonly conditions: ReadonlyMap<Fields, Condition>
  /** The attributes of the user that were read, by name. */
  readonly seen: Map<string, SeenAttribute>
}

/** An attribute as the user has it. */
export type SeenAttribute = Pick<ConditionTrace, 'actual' | 'is_present'>
