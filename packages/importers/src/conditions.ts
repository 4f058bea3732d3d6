import { checkPattern, type Operator } from '@burgee/evaluation'
import { all, any, type Expression, test } from './expression.ts'
import { Gap } from './gap.ts'

/** The attribute that is the user key itself. */
export const USER_KEY = '$user_key'

/** Builds a test with patterns. Refuses with a `Gap` what Burgee's patterns cannot express. */
export function matches(attribute: string, patterns: readonly string[]): Expression {
  for (const pattern of patterns) {
    const problem = checkPattern(pattern)
    if (problem)
      throw new Gap('pattern', `The pattern ${JSON.stringify(pattern.slice(0, 100))} ${problem.message}.`)
  }
  return test(attribute, 'matches', patterns)
}

const SPECIAL = /[\\^$.*+?()[\]{}|]/g

/** Returns a pattern that matches the text itself. */
const literalPattern = (text: string): string => text.replaceAll(SPECIAL, String.raw`\$&`)

/** Builds a comparison of texts that ignores case. */
export function ignoringCase(attribute: string, { end, start, values }: CaseTest): Expression {
  const patterns = values.map((value) => `(?i)${start ? '^' : ''}${literalPattern(value)}${end ? '$' : ''}`)
  return matches(attribute, patterns)
}

interface CaseTest {
  readonly values: readonly string[]
  /** True where the text must begin with a value. */
  readonly start: boolean
  /** True where the text must end with a value. */
  readonly end: boolean
}

/** Builds numeric equality with any of the values, which no operator has. */
export const numericEqual = (attribute: string, values: readonly string[]): Expression =>
  any(values.map((value) => all(NUMERIC_EQUAL.map((operator) => test(attribute, operator, [value])))))
const NUMERIC_EQUAL: readonly Operator[] = ['greater_than_or_equal', 'less_than_or_equal']
