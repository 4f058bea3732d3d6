import type { Fields } from '../assert-valid.ts'
import type { Evaluation } from '../evaluation.ts'
import type { Run } from '../run.ts'
import type { Trace } from './trace.ts'

export interface Explained {
  readonly evaluation: Evaluation
  readonly trace?: Trace
  /** The number of traces in the trace, itself included. */
  readonly size: number
}

/** A flag with the user as it sees them. */
export interface Subject {
  readonly flag: Fields
  readonly userKey: string | null
  readonly attributes: object
  readonly evaluation: Evaluation
  /** That of the evaluation, which has read the lists. */
  readonly run: Run
}
