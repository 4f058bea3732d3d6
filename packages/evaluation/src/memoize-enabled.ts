import type { Evaluation } from './evaluation.ts'

/**
 * Evaluates one flag for one user.
 *
 * @param run A number that no other evaluation of the flag set has; results of prerequisites are memoized by
 *   it.
 * @param levels How many levels of prerequisites may follow below this flag.
 * @throws What reading the attributes throws.
 */
export type EvaluateFlag = (
  userKey: string | null,
  attributes: object,
  run: number,
  levels: number,
) => Evaluation

/**
 * Memoizes an enabled result within a run, so that the cost of prerequisites is linear in the flags visited,
 * whatever the graph looks like.
 *
 * A memoized result is valid for every path: more levels never turn an enabled flag into another result. A
 * flag is evaluated again only with fewer levels than before, so at most ten times. A failure needs no
 * memory: it fails every flag above it, and nothing else is visited. A cycle ends where the levels end.
 */
export function memoizeEnabled(evaluate: EvaluateFlag): EvaluateFlag {
  let lastResult: Evaluation
  let lastRun = 0
  let lastLevels = 0
  return (userKey, attributes, run, levels) => {
    if (lastRun === run && levels >= lastLevels) return lastResult
    const result = evaluate(userKey, attributes, run, levels)
    if (result.enabled) {
      lastResult = result
      lastRun = run
      lastLevels = levels
    }
    return result
  }
}
