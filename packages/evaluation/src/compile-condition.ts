import { assertValid, type Fields } from './assert-valid.ts'
import { parseJsonNumber } from './json-number.ts'
import { isSpecifiedOperator, SPECIFIED_TABLE } from './specified-operators.ts'

/** Returns whether a user passes. The key is read where a condition hashes it. */
export type Condition = (attributes: object, userKey: string | null) => boolean

/** Returns whether one scalar passes. */
export type ScalarTest = (value: unknown) => boolean

/**
 * More elements than this in one attribute, nested arrays included, are an error rather than a stalled
 * caller.
 */
export const MAX_ATTRIBUTE_ELEMENTS = 100_000

/**
 * Compiles a condition with an operator that every client knows: it must hold for at least one of the values
 * (docs/reference/evaluation.md#rule-matching).
 *
 * @returns A function that throws a RangeError past `MAX_ATTRIBUTE_ELEMENTS`.
 * @throws TypeError when the condition is not valid.
 */
export function compileCondition({ attribute, operator, values }: Fields): Condition {
  assertValid(isSpecifiedOperator(operator))
  const texts = readTexts(values)
  const definition = SPECIFIED_TABLE[operator]
  const passesOne =
    definition.kind === 'number'
      ? passesAnyOf(texts, parseJsonNumber, definition.test)
      : operator === 'equals'
        ? (value: unknown) => texts.has(String(value))
        : passesAnyOf(texts, String, definition.test)
  return testAttribute(attribute, passesOne, operator === 'not_equals' ? texts : undefined)
}

/**
 * The test of an attribute. Numbers and booleans are compared by their JSON text; an array passes when any of
 * its elements does. Anything else (undefined, null, objects, numbers that JSON cannot write) counts as
 * absent.
 *
 * @param unequal The values of `not_equals`, of which at least one must be missing.
 * @param searched The number of different elements of an array that are tested; all where it is absent.
 */
export function testAttribute(
  attribute: unknown,
  passesOne: ScalarTest,
  unequal?: ReadonlySet<string>,
  searched?: number,
): Condition {
  assertValid(typeof attribute === 'string')
  const whenAbsent = unequal !== undefined && unequal.size > 0

  /** Everything except a text. With `not_equals`, at least one of the values must be missing. */
  function passesAny(value: unknown): boolean {
    const scalars = scalarsOf(value)
    return unequal
      ? [...unequal].some((text) => !scalars.has(text))
      : [...scalars.values()].slice(0, searched).some(passesOne)
  }

  // Only own properties count. Checking for an own property costs more than reading it, so the check is made
  // only where it matters: where the value that was read passes and an absent one would not, or the reverse.
  return (attributes) => {
    const value = (attributes as Fields)[attribute]
    const passed = typeof value === 'string' ? passesOne(value) : passesAny(value)
    return passed === whenAbsent || Object.hasOwn(attributes, attribute) ? passed : whenAbsent
  }
}

/** The entries of `values`, each once. */
export function readTexts(values: unknown): Set<string> {
  assertValid(Array.isArray(values) && values.every((value) => typeof value === 'string'))
  return new Set(values)
}

/** Returns whether the test holds between a value and any of the texts, both parsed the same way. */
export function passesAnyOf<Parsed>(
  texts: ReadonlySet<string>,
  parse: (value: unknown) => Parsed,
  test: (subject: Parsed, value: Parsed) => boolean,
): ScalarTest {
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

/** Returns whether an attribute with this value is present. */
export const isScalar = (value: unknown) =>
  typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)
