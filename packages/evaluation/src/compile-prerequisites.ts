import { assertValid, type Fields } from './assert-valid.ts'
import type { FlagCell } from './compile-flag.ts'
import { deepEqual } from './deep-equal.ts'
import type { CreateEvaluation, Evaluation } from './evaluation.ts'
import type { JsonValue } from './flag.ts'
import { readValue } from './read-value.ts'
import type { Run } from './run.ts'

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
export type EvaluateFlag<Result = Evaluation> = (
  userKey: string | null,
  attributes: object,
  run: Run,
  levels: number,
) => Result

interface CompiledPrerequisite {
  readonly target: FlagCell
  /** Null when the target only has to be enabled. */
  readonly required: JsonValue
  readonly failed: Evaluation
}

export function compilePrerequisites(
  prerequisites: readonly Fields[],
  disabledValue: JsonValue,
  cellOf: (key: string) => FlagCell,
  create: CreateEvaluation,
): CompiledPrerequisite[] {
  return prerequisites.map(({ flag_key, required_value }) => {
    assertValid(typeof flag_key === 'string')
    return {
      target: cellOf(flag_key),
      required: readValue('json', required_value, null),
      failed: create('PREREQUISITE_FAILED', disabledValue, false, { prerequisite_key: flag_key }),
    }
  })
}

/**
 * Evaluates what stands behind the prerequisites of a flag.
 *
 * @param constantResult The result where neither user nor attributes matter, otherwise null.
 */
export function evaluateBehind(
  prerequisites: readonly CompiledPrerequisite[],
  constantResult: Evaluation | null,
  steps: EvaluateSteps,
): Pick<FlagCell, 'evaluate' | 'evaluatePrerequisite'> {
  /** 2. Every prerequisite must be satisfied. Returns the result where one is not. */
  const failedPrerequisite: EvaluateFlag<Evaluation | null> = (userKey, attributes, run, levels) => {
    // A loop by index is faster here than an iterator.
    for (let index = 0; index < prerequisites.length; index++) {
      const { target, required, failed } = prerequisites[index] as CompiledPrerequisite
      if (levels === 0) return failed
      const result =
        target.constantResult ?? target.evaluatePrerequisite(userKey, attributes, run, levels - 1)
      if (!result.enabled || (required !== null && !deepEqual(result.value, required))) return failed
    }
    return null
  }

  let lastResult: Evaluation
  let lastRun = 0
  let lastLevels = 0

  return {
    evaluate: (userKey, attributes, run, levels) =>
      (prerequisites.length > 0 ? failedPrerequisite(userKey, attributes, run, levels) : null) ??
      constantResult ??
      steps(userKey, attributes, run),
    evaluatePrerequisite(userKey, attributes, run, levels) {
      const isKnown = lastRun === run.id
      if (isKnown && levels >= lastLevels) return lastResult
      const failed = failedPrerequisite(userKey, attributes, run, levels)
      if (failed) return failed
      if (!isKnown) lastResult = constantResult ?? steps(userKey, attributes, run)
      lastRun = run.id
      lastLevels = levels
      return lastResult
    },
  }
}
