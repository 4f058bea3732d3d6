import { isObject, PROBLEMS_MAX } from '@burgee/contract'
import type { JsonValue } from '@burgee/evaluation'
import { Check, Errors } from 'typebox/schema'
import type { ProblemDetail } from '../../../kernel/refusal.ts'
import type { FlagContent } from '../flag.ts'
import { countReads, createStepCounter, TooManySteps } from './check-steps.ts'
import type { ReadSchema } from './read-schema.ts'
import { readValueSchema } from './read-value-schema.ts'

/** The reads of the schema, and the steps of its patterns, for all values of one flag: less than 50 ms. */
const STEPS_MAX = 200_000

/**
 * Validates the schema of a flag's values, and each value by it; null always fits
 * (docs/reference/flags.md#schema-of-values). The schema is interpreted and never becomes code.
 */
export function validateValueSchema(flag: FlagContent): ProblemDetail[] {
  if (flag.value_schema === undefined) return []
  const path = '/value_schema'
  if (flag.flag_type !== 'json')
    return [{ path, message: `belongs to json flags; flag_type is ${flag.flag_type}` }]
  const problems: ProblemDetail[] = []
  const spend = createStepCounter(STEPS_MAX)
  try {
    const names = namesOf(flag)
    const schema = readValueSchema(flag.value_schema, path, { problems, names, spend })
    return problems.length > 0 ? problems : checkValues(flag, schema, spend)
  } catch (error) {
    // References without an end exceed the stack first.
    if (!(error instanceof TooManySteps || error instanceof RangeError)) throw error
    return [
      { path, message: 'takes too long to check; make it or the values smaller, and its references fewer' },
    ]
  }
}

/** Returns the names of all fields in the values of the flag, at any depth. */
function namesOf(flag: FlagContent): ReadonlySet<string> {
  const names = new Set<string>()
  function collect(value: JsonValue): void {
    if (typeof value !== 'object' || value === null) return
    if (!Array.isArray(value)) for (const name of Object.keys(value)) names.add(name)
    for (const each of Object.values(value)) collect(each)
  }
  for (const [, value] of valuesOf(flag)) collect(value)
  return names
}

function checkValues(flag: FlagContent, schema: ReadSchema, spend: (steps: number) => void): ProblemDetail[] {
  const problems: ProblemDetail[] = []
  for (const [path, value] of valuesOf(flag)) {
    if (problems.length >= PROBLEMS_MAX) break
    const counted = countReads(schema, value, spend)
    if (value !== null && !Check(counted.schema, counted.value))
      problems.push(describe(counted.schema, path, counted.value))
  }
  return problems
}

function* valuesOf(flag: FlagContent): Generator<readonly [path: string, value: JsonValue]> {
  yield ['/default_value', flag.default_value]
  yield ['/disabled_value', flag.disabled_value]
  for (const [index, { value }] of flag.variants.entries()) yield [`/variants/${index}/value`, value]
  for (const [index, { variant = null, variants = [] }] of flag.rules.entries()) {
    yield [`/rules/${index}/variant`, variant]
    for (const [at, { value }] of variants.entries()) yield [`/rules/${index}/variants/${at}/value`, value]
  }
}

/** Describes the first place of the value that does not fit. */
function describe(schema: ReadSchema, path: string, value: JsonValue): ProblemDetail {
  const [, errors] = Errors(schema, value)
  const first = errors.find((error) => isObject(error))
  const message = first
    ? `is not what value_schema allows: it ${first.message}`
    : 'is not what value_schema allows'
  return { path: `${path}${first?.instancePath ?? ''}`, message }
}
