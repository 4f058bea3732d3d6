import type { Evaluation } from './evaluation.ts'
import type { Run } from './run.ts'

/**
 * The compiled flag of a key. Nothing is parsed, summed or built when a user is evaluated. Prerequisites of
 * other flags reference the cell, so replacing a flag changes no other.
 */
export interface FlagCell {
  /** The result for every user at all times; null where the user, attributes or other flags matter. */
  constantResult: Evaluation | null
  isBoolean: boolean
  evaluate: EvaluateFlag
  /** The same evaluation, as a prerequisite of another flag. */
  evaluatePrerequisite: EvaluateFlag
}

/** Evaluates the steps of a flag that need neither its switch nor other flags. */
export type EvaluateSteps = (userKey: string | null, attributes: object, run: Run) => Evaluation

/**
 * Evaluates one flag for one user. What follows the prerequisites is evaluated and charged once in a run, so
 * the cost is linear in the flags visited, whatever the graph looks like.
 *
 * A result is valid for every path with as many levels: more levels never turn an enabled flag into another
 * result. Prerequisites are asked again only with fewer levels than before, so at most ten times. A failure
 * needs no memory: it fails every flag above it, and nothing else is visited. A cycle ends where the levels
 * end.
 *
 * @param run The evaluation of which this one is a part.
 * @param levels How many levels of prerequisites may follow below this flag.
 * @throws What reading the attributes throws, and a RangeError beyond `MAX_STEPS`.
 */
type EvaluateFlag = (userKey: string | null, attributes: object, run: Run, levels: number) => Evaluation
