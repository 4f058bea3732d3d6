import type { OrderedTest } from './ordered-kind.ts'
import { SPECIFIED_TABLE, type SpecifiedOperator } from './specified-operators.ts'

/** The type as which an operator parses both sides. */
export type OperatorKind = 'text' | 'pattern' | 'presence' | 'number' | 'version' | 'time'

interface PositiveDefinition extends Partial<OrderedTest> {
  readonly kind: OperatorKind
}

const { greater_than, greater_than_or_equal, less_than, less_than_or_equal } = SPECIFIED_TABLE

/** The operators that are no complement, in the order in which they are listed. */
const POSITIVE_TABLE = {
  ...SPECIFIED_TABLE,
  matches: { kind: 'pattern' },
  is_set: { kind: 'presence' },
  semver_equal: { kind: 'version' },
  // The tests of numbers hold for what orders as they do.
  semver_greater_than: { ...greater_than, kind: 'version' },
  semver_greater_than_or_equal: { ...greater_than_or_equal, kind: 'version' },
  semver_less_than: { ...less_than, kind: 'version' },
  semver_less_than_or_equal: { ...less_than_or_equal, kind: 'version' },
  before: { ...less_than, kind: 'time' },
  after: { ...greater_than, kind: 'time' },
} as const satisfies Readonly<Record<string, PositiveDefinition>>

type PositiveOperator = keyof typeof POSITIVE_TABLE
/** `not_equals` has none: with several values its opposite is one condition for each. */
type ComplementOf<Name extends PositiveOperator> = Name extends 'not_equals'
  ? never
  : Name extends 'equals'
    ? 'not_in'
    : Name extends 'is_set'
      ? 'is_not_set'
      : `not_${Name}`

export type Operator = PositiveOperator | ComplementOf<PositiveOperator>

interface OperatorDefinition extends PositiveDefinition {
  /** The operator that a complement negates. */
  readonly negates?: Operator
}

const IRREGULAR: Readonly<Record<string, string>> = { equals: 'not_in', is_set: 'is_not_set' }

/** Every operator of a rule, with what it compares (docs/reference/operators.md). */
export const OPERATOR_TABLE = /* @__PURE__ */ defineOperators()

function defineOperators(): Readonly<Record<Operator, OperatorDefinition>> {
  const positives = Object.entries(POSITIVE_TABLE)
  const complements = positives.flatMap(([name, definition]) =>
    name === 'not_equals' ? [] : [[IRREGULAR[name] ?? `not_${name}`, { ...definition, negates: name }]],
  )
  // The names are those of the type `Operator`; a test compares the two.
  return Object.fromEntries([...positives, ...complements]) as never
}

/** Returns whether the text names an operator. */
export const isOperator = (name: unknown): name is Operator =>
  typeof name === 'string' && Object.hasOwn(OPERATOR_TABLE, name)

/** The names of all operators: the first nine, the others, and the complements. */
export const OPERATORS: readonly Operator[] = /* @__PURE__ */ listOperators()

/** The names of the operators that every client knows. */
export const SPECIFIED_OPERATORS: readonly SpecifiedOperator[] = /* @__PURE__ */ listSpecified()

function listOperators(): readonly Operator[] {
  return Object.keys(OPERATOR_TABLE).filter(isOperator)
}

function listSpecified(): readonly SpecifiedOperator[] {
  // `Object.keys` forgets the names.
  return Object.keys(SPECIFIED_TABLE) as SpecifiedOperator[]
}

/** Returns what attribute and values are compared as. */
export const operatorKind = (operator: Operator): OperatorKind => OPERATOR_TABLE[operator].kind

/** Returns whether attribute and values are compared as numbers. */
export const isNumericOperator = (operator: Operator): boolean => operatorKind(operator) === 'number'

/** Returns the operator that holds exactly when this one does not. Null for `not_equals`, which has none. */
export const complementOf = (operator: Operator): Operator | null =>
  OPERATOR_TABLE[operator].negates ??
  OPERATORS.find((other) => OPERATOR_TABLE[other].negates === operator) ??
  null
