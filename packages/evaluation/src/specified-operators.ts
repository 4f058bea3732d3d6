/**
 * Compares the text of an attribute with one entry of `values`; sets of texts are compared without a test.
 */
interface TextOperator {
  readonly kind: 'text'
  readonly test?: (subject: string, value: string) => boolean
}

/** Compares numbers; a text that is not a JSON number is NaN here, which no comparison accepts. */
interface NumberOperator {
  readonly kind: 'number'
  readonly test: (subject: number, value: number) => boolean
}

/** The operators that every client knows, with what they compare (docs/reference/operators.md). */
export const SPECIFIED_TABLE = {
  equals: { kind: 'text' },
  not_equals: { kind: 'text' },
  contains: { kind: 'text', test: (subject, value) => subject.includes(value) },
  starts_with: { kind: 'text', test: (subject, value) => subject.startsWith(value) },
  ends_with: { kind: 'text', test: (subject, value) => subject.endsWith(value) },
  greater_than: { kind: 'number', test: (subject, value) => subject > value },
  greater_than_or_equal: { kind: 'number', test: (subject, value) => subject >= value },
  less_than: { kind: 'number', test: (subject, value) => subject < value },
  less_than_or_equal: { kind: 'number', test: (subject, value) => subject <= value },
} as const satisfies Readonly<Record<string, TextOperator | NumberOperator>>

export type SpecifiedOperator = keyof typeof SPECIFIED_TABLE

/** Returns whether the text names an operator that every client knows. */
export const isSpecifiedOperator = (name: unknown): name is SpecifiedOperator =>
  typeof name === 'string' && Object.hasOwn(SPECIFIED_TABLE, name)
