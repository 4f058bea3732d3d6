import { PROBLEMS_MAX } from '@burgee/contract'
import { deepEqual, type JsonValue } from '@burgee/evaluation'
import { type CheckBudget, TooManySteps } from '../../../kernel/check-budget.ts'
import type { ProblemDetail } from '../../../kernel/refusal.ts'
import type { FlagContent } from '../flag.ts'
import { createMisfitFinder } from './check-values.ts'
import { readValueSchema } from './read-value-schema.ts'
import { findUncheckedValues, type PlacedValue } from './unchecked-values.ts'

const PATH = '/value_schema'

/**
 * Validates the schema of a flag's values, and each value by it; null always fits
 * (docs/reference/flags.md#schema-of-values). What the stored flag has already is not validated again: it was
 * accepted, and a flag whose check takes too long by now can still be changed in everything else.
 *
 * @param before The stored flag; null where there is none.
 */
export function validateValueSchema(
  flag: FlagContent,
  before: FlagContent | null,
  budget: CheckBudget,
): ProblemDetail[] {
  if (flag.value_schema === undefined) return []
  if (flag.flag_type !== 'json')
    return [{ path: PATH, message: `belongs to json flags; flag_type is ${flag.flag_type}` }]
  const hasSchema = before?.flag_type === 'json' && deepEqual(before.value_schema, flag.value_schema)
  const values = findUncheckedValues(flag, hasSchema ? before : null)
  if (hasSchema && values.length === 0) return []
  try {
    return check(flag.value_schema, values, budget)
  } catch (error) {
    if (!(error instanceof TooManySteps)) throw error
    return [{ path: PATH, message: error.isTogether ? TOO_MUCH_TOGETHER : TOO_MUCH }]
  }
}

const TOO_MUCH = 'takes too long to check; make it or the values smaller, and its references fewer'
const TOO_MUCH_TOGETHER =
  'takes too long to check beside the others of this request; send or read fewer at once'

function check(
  value_schema: JsonValue,
  values: readonly PlacedValue[],
  budget: CheckBudget,
): ProblemDetail[] {
  const spend = budget.start()
  const problems: ProblemDetail[] = []
  const document = readValueSchema(value_schema, PATH, { problems, spend })
  if (problems.length > 0) return problems
  const findMisfit = createMisfitFinder(document, spend)
  for (const { path, value } of values) {
    if (problems.length >= PROBLEMS_MAX) break
    const misfit = findMisfit(value)
    if (misfit)
      problems.push({
        path: path + misfit.path,
        message: `is not what value_schema allows: it ${misfit.message}`,
      })
  }
  return problems
}
