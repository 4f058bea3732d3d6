import { assertValid, type Fields } from './assert-valid.ts'
import { parseJsonNumber } from './json-number.ts'
import { isOperator, OPERATOR_TABLE } from './operators.ts'

/** Returns whether a user with these attributes passes. */
export type Condition = (attributes: object) => boolean

/**
 * More elements than this in one attribute, nested arrays included, are an error rather than a stalled
 * caller.
 */
export const MAX_ATTRIBUTE_ELEMENTS = 100_000

/**
 * Compiles a condition: the operator must hold for at least one of the values
 * (docs/reference/evaluation.md#rule-matching). Numbers and booleans are compared by their JSON text; an
 * array passes when any of its elements does. Anything else (undefined, null, objects, numbers that JSON
 * cannot write) counts as absent.
 *
 * @returns A function that throws a RangeError past `MAX_ATTRIBUTE_ELEMENTS`.
 * @throws TypeError when the condition is not valid.
 */
export function compileCondition({ attribute, operator, values }: Fields): Condition {
  assertValid(typeof attribute === 'string' && isOperator(operator) && isTextList(values))
  const texts = new Set(values)
  const isNegative = operator === 'not_equals'
  const whenAbsent = isNegative && texts.size > 0
  const definition = OPERATOR_TABLE[operator]
  const passesOne =
    definition.kind === 'number'
      ? passesAnyOf(texts, parseJsonNumber, definition.test)
      : operator === 'equals'
        ? (value: unknown) => texts.has(String(value))
        : passesAnyOf(texts, String, definition.test)

  /** Everything except a text. With `not_equals`, at least one of the values must be missing. */
  function passesAny(value: unknown): boolean {
    const scalars = scalarsOf(value)
    return isNegative ? [...texts].some((text) => !scalars.has(text)) : [...scalars.values()].some(passesOne)
  }

  // Only own properties count. Checking for an own property costs more than reading it, so the check is made
  // only where it matters: where the value that was read passes and an absent one would not, or the reverse.
  return (attributes) => {
    const value = (attributes as Fields)[attribute]
    const passed = typeof value === 'string' ? passesOne(value) : passesAny(value)
    return passed === whenAbsent || Object.hasOwn(attributes, attribute) ? passed : whenAbsent
  }
}

const isTextList = (values: unknown): values is string[] =>
  Array.isArray(values) && values.every((value) => typeof value === 'string')

/** Returns whether the test holds between a value and any of the texts, both parsed the same way. */
function passesAnyOf<Parsed>(
  texts: ReadonlySet<string>,
  parse: (value: unknown) => Parsed,
  test: (subject: Parsed, value: Parsed) => boolean,
): (value: unknown) => boolean {
  const parsed = [...texts].map(parse)
  return (value) => {
    const subject = parse(value)
    for (const each of parsed) if (test(subject, each)) return true
    return false
  }
}

/** The scalars of an attribute by their text: none when it is absent, any number when it is an array. */
function scalarsOf(value: unknown): Map<string, unknown> {
  // A set grows while it is iterated, and holds an array once: nested arrays cost what they hold, and cycles
  // end.
  const arrays = new Set([[value]])
  const scalars = new Map<string, unknown>()
  let count = 0
  for (const array of arrays) {
    for (const element of array) {
      if (count++ > MAX_ATTRIBUTE_ELEMENTS) throw new RangeError()
      if (Array.isArray(element)) arrays.add(element)
      else if (isScalar(element)) scalars.set(String(element), element)
    }
  }
  return scalars
}

const isScalar = (value: unknown) =>
  typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)
