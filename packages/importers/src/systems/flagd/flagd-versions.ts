import { type Operator, parseVersion } from '@burgee/evaluation'
import { all, any, type Expression, NEVER, test } from '../../expression.ts'
import { Gap } from '../../gap.ts'
import { tableOf, textForm } from '../../reading.ts'
import { type LogicContext, operandOf } from './flagd-operands.ts'

const OPERATORS = tableOf<Operator>({
  '=': 'semver_equal',
  '<': 'semver_less_than',
  '<=': 'semver_less_than_or_equal',
  '>': 'semver_greater_than',
  '>=': 'semver_greater_than_or_equal',
})

/** Translates a comparison of versions. `^` means the same major version, `~` the same minor one. */
export function semVerOf(args: readonly unknown[], context: LogicContext): Expression {
  const [left, operator, right] = args
  const subject = operandOf(left, context)
  const value = operandOf(right, context)
  if (!('attribute' in subject) || !('constant' in value))
    throw new Gap('two_attributes', 'It does not compare an attribute with a version.')
  const { attribute } = subject
  const version = textForm(value.constant)
  if (args.length !== 3 || !isVersion(version)) return NEVER
  const plain = OPERATORS[textForm(operator)]
  if (plain) return test(attribute, plain, [version])
  const [major = 0, minor = 0] = version
    .replace(/^v/i, '')
    .split('.', 2)
    .map((part) => Number.parseInt(part, 10))
  if (operator === '^') return between(attribute, `${major}.0.0-0`, `${major + 1}.0.0-0`)
  if (operator === '~') return between(attribute, `${major}.${minor}.0-0`, `${major}.${minor + 1}.0-0`)
  if (operator === '!=')
    return any([
      test(attribute, 'semver_less_than', [version]),
      test(attribute, 'semver_greater_than', [version]),
    ])
  return NEVER
}

const between = (attribute: string, from: string, to: string): Expression =>
  all([test(attribute, 'semver_greater_than_or_equal', [from]), test(attribute, 'semver_less_than', [to])])

const isVersion = (text: string): boolean => typeof parseVersion(text) === 'string'
