import { demand, type Fields } from './demand.ts'
import type { Operator } from './flag.ts'

/** Whether a user with these attributes passes. */
export type Condition = (attributes: object) => boolean

/** Compares texts, or for the numeric operators numbers. NaN passes nothing. */
type Test = (subject: string, value: string) => boolean

/** More elements than this in one attribute, nested arrays included, are an error rather than a stalled caller. */
export const MAX_ATTRIBUTE_ELEMENTS = 100_000

/** As the specification lists them under "TargetingRule". */
const TESTS: Readonly<Record<Operator, Test>> = {
  equals: (subject, value) => subject === value,
  not_equals: (subject, value) => subject !== value,
  contains: (subject, value) => subject.includes(value),
  starts_with: (subject, value) => subject.startsWith(value),
  ends_with: (subject, value) => subject.endsWith(value),
  greater_than: (subject, value) => subject > value,
  greater_than_or_equal: (subject, value) => subject >= value,
  less_than: (subject, value) => subject < value,
  less_than_or_equal: (subject, value) => subject <= value,
}

/**
 * A condition made ready: for at least one of its values the operator must hold (specification, "Rule matching").
 * Numbers and booleans compare by their JSON text; an array passes when any of its elements does. What is none of these
 * (undefined, null, objects, numbers that JSON cannot write) counts as absent.
 *
 * @returns What throws a RangeError past `MAX_ATTRIBUTE_ELEMENTS`.
 * @throws TypeError when it is malformed.
 */
export function compileCondition({ attribute, operator, values }: Fields): Condition {
  const texts = new Set(values as string[])
  demand(Array.isArray(values) && [attribute, ...texts].every((text) => typeof text === 'string'))
  demand(Object.hasOwn(TESTS, operator as Operator))
  const test = TESTS[operator as Operator]
  const name = attribute as string
  const prepare = (/than/.test(operator as string) ? jsonNumber : String) as (value: unknown) => string
  const prepared = [...texts].map(prepare)
  const isNegative = operator === 'not_equals'
  const whenAbsent = isNegative && texts.size > 0

  function passesOne(value: unknown): boolean {
    const subject = prepare(value)
    if (operator === 'equals') return texts.has(subject)
    for (const each of prepared) if (test(subject, each)) return true
    return false
  }

  /** Everything but a text. With `not_equals`, at least one of the values must be missing. */
  function passesAny(value: unknown): boolean {
    const scalars = scalarsOf(value)
    return isNegative ? [...texts].some((text) => !scalars.has(text)) : [...scalars.values()].some(passesOne)
  }

  // Only the attributes' own properties count. Asking whether a property is one costs more than reading it, so that is
  // asked only where the answer matters: where the value read fares otherwise than an absent one would.
  return (attributes) => {
    const value = (attributes as Fields)[name]
    const passed = typeof value === 'string' ? passesOne(value) : passesAny(value)
    return passed === whenAbsent || Object.hasOwn(attributes, name) ? passed : whenAbsent
  }
}

/** What an attribute stands for, by its text: nothing when it is absent, any number when it is an array. */
function scalarsOf(value: unknown): Map<string, unknown> {
  // A set grows while it is walked, and holds an array once: nested arrays cost what they hold, and cycles end.
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

const JSON_NUMBER = /^\s*-?(0|[1-9]\d*)(\.\d|e|\s*$)/i

/**
 * The number that a text spells by the grammar of JSON, blanks around it aside. NaN when it spells none ("", "0x10",
 * "+1") or one too large for a double ("1e999"). The expression need only refuse what `Number` takes beyond that.
 */
function jsonNumber(text: string): number {
  const number = JSON_NUMBER.test(text) ? Number(text) : Number.NaN
  return Number.isFinite(number) ? number : Number.NaN
}
