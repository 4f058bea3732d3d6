import type { Operator } from './flag.ts'
import { jsonNumber } from './json-number.ts'
import { demand, type Fields, readText } from './wire.ts'

type TextTest = (text: string, value: string) => boolean
type NumberTest = (number: number, bound: number) => boolean

/** A condition made ready: the operator is resolved and the numbers are parsed. */
export interface CompiledCondition {
  readonly attribute: string
  readonly operator: unknown
  readonly values: readonly string[]
  readonly set: ReadonlySet<string>
  readonly textTest: TextTest | null
  readonly numberTest: NumberTest | null
  /** The values that are numbers. */
  readonly bounds: readonly number[]
  /** Whether a user without the attribute passes. */
  readonly whenAbsent: boolean
}

/** Keyed by operator, as the specification lists them under "TargetingRule". */
const TEXT_TESTS: ReadonlyMap<unknown, TextTest> = new Map<Operator, TextTest>([
  ['equals', (text, value) => text === value],
  ['not_equals', (text, value) => text !== value],
  ['contains', (text, value) => text.includes(value)],
  ['starts_with', (text, value) => text.startsWith(value)],
  ['ends_with', (text, value) => text.endsWith(value)],
])

const NUMBER_TESTS: ReadonlyMap<unknown, NumberTest> = new Map<Operator, NumberTest>([
  ['greater_than', (number, bound) => number > bound],
  ['greater_than_or_equal', (number, bound) => number >= bound],
  ['less_than', (number, bound) => number < bound],
  ['less_than_or_equal', (number, bound) => number <= bound],
])

export function compileCondition({ attribute, operator, values }: Fields): CompiledCondition {
  const textTest = TEXT_TESTS.get(operator) ?? null
  const numberTest = NUMBER_TESTS.get(operator) ?? null
  demand((textTest ?? numberTest) !== null && Array.isArray(values))
  const texts = values.map(readText)
  return {
    attribute: readText(attribute),
    operator,
    values: texts,
    set: new Set(texts),
    textTest,
    numberTest,
    bounds: texts.map(jsonNumber),
    whenAbsent: operator === 'not_equals' && texts.length > 0,
  }
}
