import { complementOf, type Operator } from '@burgee/evaluation'
import { Gap } from './gap.ts'

/** A test of one attribute. */
interface Test {
  readonly kind: 'test'
  readonly attribute: string
  readonly operator: Operator
  readonly values: readonly string[]
}

/** A test whether a user is in a segment. */
interface Membership {
  readonly kind: 'segment'
  readonly key: string
  readonly isIn: boolean
}

/** A condition of another service, as a tree. */
export type Expression =
  | Test
  | Membership
  | { readonly kind: 'all' | 'any'; readonly of: readonly Expression[] }
  | { readonly kind: 'not'; readonly of: Expression }

/** One condition of a rule. */
export type Literal = Test | Membership

/** The rules that one expression may become. */
const ALTERNATIVES_MAX = 64
/** The conditions of one rule. */
const LITERALS_MAX = 200
const DEPTH_MAX = 60
const STEPS_MAX = 20_000

export const ALWAYS: Expression = { kind: 'all', of: [] }
export const NEVER: Expression = { kind: 'any', of: [] }

export const all = (of: readonly Expression[]): Expression => ({ kind: 'all', of })
export const any = (of: readonly Expression[]): Expression => ({ kind: 'any', of })
export const not = (of: Expression): Expression => ({ kind: 'not', of })
export const inSegment = (key: string): Expression => ({ kind: 'segment', key, isIn: true })
export const isSet = (attribute: string): Expression => ({
  ...{ kind: 'test', attribute, operator: 'is_set', values: [] },
})

/** Builds a test that holds for a value other than the empty text, which some services take for none. */
export const hasText = (attribute: string): Expression =>
  attribute === '$user_key' ? isSet(attribute) : all([isSet(attribute), not(test(attribute, 'equals', ['']))])

/** Builds a test. Without values it never holds, and its complement always does. */
export function test(attribute: string, operator: Operator, values: readonly string[]): Expression {
  return values.length === 0 ? NEVER : { kind: 'test', attribute, operator, values: [...new Set(values)] }
}

/**
 * Returns the expression as alternatives of conditions that must all hold. An alternative without conditions
 * always holds; without alternatives the expression never does. Refuses with a `Gap` when there are too many.
 */
export function alternativesOf(expression: Expression): readonly (readonly Literal[])[] {
  return expand(expression, { isNegated: false, depth: 0, budget: { left: STEPS_MAX } })
}

interface Place {
  readonly isNegated: boolean
  readonly depth: number
  /** The nodes that may still be visited: a condition that occurs twice is visited twice. */
  readonly budget: { left: number }
}

function expand(
  expression: Expression,
  { budget, depth, isNegated }: Place,
): readonly (readonly Literal[])[] {
  budget.left -= 1
  if (depth > DEPTH_MAX || budget.left < 0) throw new Gap('too_deep', 'The conditions are nested too deeply.')
  const inside = { budget, isNegated, depth: depth + 1 }
  switch (expression.kind) {
    case 'test':
      return isNegated ? negate(expression) : [[expression]]
    case 'segment':
      return [[isNegated ? { ...expression, isIn: !expression.isIn } : expression]]
    case 'not':
      return expand(expression.of, { ...inside, isNegated: !isNegated })
    default: {
      const parts = expression.of.map((part) => expand(part, inside))
      // The negation of an AND is the OR of the negations (De Morgan).
      const isOr = (expression.kind === 'any') !== isNegated
      return isOr ? bounded(parts.flat()) : parts.reduce(combine, [[]])
    }
  }
}

function negate(test: Test): readonly (readonly Literal[])[] {
  const operator = complementOf(test.operator)
  if (operator) return [[{ ...test, operator }]]
  // `not_equals` holds when one of its values differs.
  return [test.values.map((value) => ({ ...test, operator: 'equals' as const, values: [value] }))]
}

function combine(
  before: readonly (readonly Literal[])[],
  next: readonly (readonly Literal[])[],
): readonly (readonly Literal[])[] {
  bounded(before.length * next.length)
  return before.flatMap((left) => next.map((right) => join(left, right)))
}

function join(left: readonly Literal[], right: readonly Literal[]): readonly Literal[] {
  const known = new Set(left.map((literal) => JSON.stringify(literal)))
  const joined = [...left, ...right.filter((literal) => !known.has(JSON.stringify(literal)))]
  if (joined.length > LITERALS_MAX) throw new Gap('too_many_conditions', 'A rule has too many conditions.')
  return joined
}

/** Returns a number of alternatives, or a list of them. Refuses with a `Gap` when there are too many. */
export function bounded<Value extends number | readonly unknown[]>(value: Value): Value {
  const count = typeof value === 'number' ? value : value.length
  if (count <= ALTERNATIVES_MAX) return value
  throw new Gap('too_many_alternatives', `The conditions would become more than ${ALTERNATIVES_MAX} rules.`)
}
