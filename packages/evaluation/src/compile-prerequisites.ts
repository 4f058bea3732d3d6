import { assertValid, type Fields } from './assert-valid.ts'
import { deepEqual } from './deep-equal.ts'
import type { CreateEvaluation, Evaluation } from './evaluation.ts'
import type { JsonValue } from './flag.ts'
import type { EvaluateFlag, EvaluateSteps, FlagCell } from './flag-cell.ts'
import { readValue } from './read-value.ts'

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
): EvaluateFlag {
  let lastResult: Evaluation
  let lastRun = 0
  let lastLevels = 0

  return (userKey, attributes, run, levels) => {
    const isKnown = lastRun === run.id
    if (isKnown && levels >= lastLevels) return lastResult
    // 2. Every prerequisite must be satisfied. (A loop by index is faster here than an iterator.)
    for (let index = 0; index < prerequisites.length; index++) {
      const { target, required, failed } = prerequisites[index] as CompiledPrerequisite
      if (levels === 0) return failed
      const result =
        target.constantResult ?? target.evaluatePrerequisite(userKey, attributes, run, levels - 1)
      if (!result.enabled || (required !== null && !deepEqual(result.value, required))) return failed
    }
    // 3. The main switch, and every other result that depends on neither user nor attributes.
    if (!isKnown) lastResult = constantResult ?? steps(userKey, attributes, run)
    lastRun = run.id
    lastLevels = levels
    return lastResult
  }
}
