import { assertValid, type Fields } from './assert-valid.ts'
import { deepEqual } from './deep-equal.ts'
import type { CreateEvaluation, Evaluation } from './evaluation.ts'
import type { JsonValue } from './flag.ts'
import type { EvaluateSteps, FlagCell } from './flag-cell.ts'
import { readValue } from './read-value.ts'
import type { Run } from './run.ts'

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
  let lastResult: Evaluation
  let lastRun = 0
  let lastLevels = 0

  /** Returns the result where a prerequisite is not satisfied. */
  function fail(userKey: string | null, attributes: object, run: Run, levels: number): Evaluation | null {
    // 2. Every prerequisite must be satisfied. (A loop by index is faster here than an iterator.)
    for (let index = 0; index < prerequisites.length; index++) {
      const { target, required, failed } = prerequisites[index] as CompiledPrerequisite
      if (levels === 0) return failed
      const result =
        target.constantResult ?? target.evaluatePrerequisite(userKey, attributes, run, levels - 1)
      if (!result.enabled || (required !== null && !deepEqual(result.value, required))) return failed
    }
    return null
  }

  // 3. The main switch, and every other result that depends on neither user nor attributes.
  return {
    // Most flags have no prerequisites. This one is visited once: a cycle, which leads to it again, fails.
    evaluate:
      prerequisites.length > 0
        ? (userKey, attributes, run, levels) =>
            fail(userKey, attributes, run, levels) ?? constantResult ?? steps(userKey, attributes, run)
        : steps,
    evaluatePrerequisite(userKey, attributes, run, levels) {
      // Kept here: a getter of the attributes may evaluate other users meanwhile.
      const known = lastRun === run.id ? lastResult : null
      if (known && levels >= lastLevels) return known
      const failed = fail(userKey, attributes, run, levels)
      if (failed) return failed
      lastResult = known ?? constantResult ?? steps(userKey, attributes, run)
      lastRun = run.id
      lastLevels = levels
      return lastResult
    },
  }
}
