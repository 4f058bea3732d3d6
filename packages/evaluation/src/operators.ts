/** Compares the text of an attribute with one entry of `values`. */
interface TextOperator {
  readonly kind: 'text'
  readonly test: (subject: string, value: string) => boolean
}

/** Compares numbers; a text that is not a JSON number is NaN here, which no comparison accepts. */
interface NumberOperator {
  readonly kind: 'number'
  readonly test: (subject: number, value: number) => boolean
}

/** Every operator of a rule, with what it compares (docs/reference/flags.md#rules). */
export const OPERATOR_TABLE = {
  equals: { kind: 'text', test: (subject, value) => subject === value },
  not_equals: { kind: 'text', test: (subject, value) => subject !== value },
  contains: { kind: 'text', test: (subject, value) => subject.includes(value) },
  starts_with: { kind: 'text', test: (subject, value) => subject.startsWith(value) },
  ends_with: { kind: 'text', test: (subject, value) => subject.endsWith(value) },
  greater_than: { kind: 'number', test: (subject, value) => subject > value },
  greater_than_or_equal: { kind: 'number', test: (subject, value) => subject >= value },
  less_than: { kind: 'number', test: (subject, value) => subject < value },
  less_than_or_equal: { kind: 'number', test: (subject, value) => subject <= value },
} as const satisfies Readonly<Record<string, TextOperator | NumberOperator>>

export type Operator = keyof typeof OPERATOR_TABLE

/** Returns whether the text names an operator. */
export const isOperator = (name: unknown): name is Operator => Object.hasOwn(OPERATOR_TABLE, name as string)

/** The names of all operators, in the order of the table. */
export const OPERATORS: readonly Operator[] = Object.keys(OPERATOR_TABLE).filter(isOperator)

/** Returns whether attribute and values are compared as numbers. */
export const isNumericOperator = (operator: Operator): boolean => OPERATOR_TABLE[operator].kind === 'number'
