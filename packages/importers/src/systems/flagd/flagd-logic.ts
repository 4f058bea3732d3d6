import type { Operator } from '@burgee/evaluation'
import { numericEqual } from '../../conditions.ts'
import { ALWAYS, all, any, type Expression, isSet, NEVER, not, test } from '../../expression.ts'
import { Gap } from '../../gap.ts'
import { comparedTexts, isObject, tableOf, textForm } from '../../reading.ts'
import { operationOf } from './flagd-nodes.ts'
import { type LogicContext, type Operand, operandOf } from './flagd-operands.ts'
import { semVerOf } from './flagd-versions.ts'

/** Translates a condition: true where JSONLogic gives something that counts as true. */
export function conditionOf(node: unknown, context: LogicContext): Expression {
  if (!isObject(node)) return isTruthy(node) ? ALWAYS : NEVER
  const { args, name } = operationOf(node)
  if (NEEDS_LIST.has(name) && !Array.isArray(Object.values(node)[0]))
    throw new Gap('logic', `The operation ${JSON.stringify(name)} has no list.`)
  const conditions = () => args.map((arg) => conditionOf(arg, context))
  switch (name) {
    case 'and':
      return args.length === 0 ? NEVER : all(conditions())
    case 'or':
      return any(conditions())
    case '!':
      return not(conditionOf(args[0], context))
    case '!!':
      return conditionOf(args[0], context)
    case 'if':
      return chainOf(args, context)
    case 'var':
      return truthOf(operandOf(node, context), context)
    case 'fractional':
      if (context.dialect === 'goff') throw unlike(name)
      return constantShare(args, context)
    default:
      return comparisonOf(name, args, context)
  }
}

/** Operations that fail there where their argument is no list. */
const NEEDS_LIST: ReadonlySet<string> = new Set([
  ...['and', 'or', 'if', 'in', '==', '===', '!=', '!==', '<', '<=', '>', '>='],
])

function isTruthy(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value)
}

/** `if` as a condition: the first condition that holds states which value counts. */
function chainOf(args: readonly unknown[], context: LogicContext): Expression {
  const [condition, then, ...others] = args
  if (args.length < 2) return conditionOf(condition ?? null, context)
  const holds = conditionOf(condition, context)
  return any([
    all([holds, conditionOf(then, context)]),
    all([not(holds), chainOf(others.length === 0 ? [null] : others, context)]),
  ])
}

/** A share as a condition is translated only where it has everyone or no one. */
function constantShare(args: readonly unknown[], { differ }: LogicContext): Expression {
  const entries = args
    .filter((arg) => Array.isArray(arg))
    .map((entry: readonly unknown[]) => ({
      value: entry[0],
      weight: entry.length > 1 ? entry[1] : 1,
    }))
  const isWhole = entries.every(({ weight }) => Number.isInteger(weight))
  const chosen = entries.filter(({ weight }) => Number(weight) > 0)
  const [first] = chosen
  if (!isWhole || entries.length !== args.length || args.length < 2 || !first || chosen.length > 1)
    throw new Gap('share_condition', 'A share of users is used as a condition.')
  if (entries.some(({ value }) => typeof value !== 'string'))
    differ?.('A share of other values than texts is none before core 0.15.0.')
  return isTruthy(first.value) ? ALWAYS : NEVER
}

function truthOf(operand: Operand, { approximate }: LogicContext): Expression {
  if ('constant' in operand) return isTruthy(operand.constant) ? ALWAYS : NEVER
  const { attribute } = operand
  approximate('truthiness', `Every value of ${attribute} but "", 0 and false counts as true.`)
  return all([isSet(attribute), test(attribute, 'not_in', ['', '0', 'false'])])
}

const ORDER = tableOf<Operator>({
  '<': 'less_than',
  '<=': 'less_than_or_equal',
  '>': 'greater_than',
  '>=': 'greater_than_or_equal',
})
/** The same comparison with its sides exchanged. */
const MIRRORED = tableOf<string>({ '<': '>', '<=': '>=', '>': '<', '>=': '<=' })

const OF_FLAGD: ReadonlySet<string> = new Set(['sem_ver', 'starts_with', 'ends_with'])

function comparisonOf(name: string, args: readonly unknown[], context: LogicContext): Expression {
  if (context.dialect === 'goff' && OF_FLAGD.has(name)) throw unlike(name)
  if (name === 'sem_ver') return semVerOf(args, context)
  if (name === 'in') return membershipOf(args, context)
  if (name === 'starts_with' || name === 'ends_with') {
    const [subject, value] = args.map((arg) => operandOf(arg, context))
    // A text is compared with a text only.
    if (!subject || !('attribute' in subject) || !value || !('constant' in value)) throw unlike(name)
    return typeof value.constant === 'string' ? test(subject.attribute, name, [value.constant]) : NEVER
  }
  if (name in ORDER) return orderOf(name, args, context)
  const isEquality = name === '==' || name === '==='
  if (!isEquality && name !== '!=' && name !== '!==') throw unlike(name)
  const equal = equalityOf(name, args, context)
  return isEquality ? equal : not(equal)
}

const unlike = (name: string) => new Gap('logic', `The operation ${JSON.stringify(name)} has no equal.`)

function equalityOf(name: string, args: readonly unknown[], context: LogicContext): Expression {
  const [left, right] = args.map((arg) => operandOf(arg, context))
  if (!left || !right) throw unlike(name)
  const [subject, other] = 'attribute' in left ? [left, right] : [right, left]
  if (!('constant' in other)) throw new Gap('two_attributes', 'It compares two attributes with each other.')
  const { constant } = other
  if (!('attribute' in subject)) return areEqual(name, subject.constant, constant) ? ALWAYS : NEVER
  if (constant === null) return not(isSet(subject.attribute))
  const isLoose = name.length === 2
  const holds =
    typeof constant === 'number' && isLoose
      ? numericEqual(subject.attribute, [String(constant)])
      : test(subject.attribute, 'equals', comparedTexts([constant]))
  if (isLoose && (constant === 0 || constant === false))
    context.differ?.(`Without ${subject.attribute}, ${name} ${constant} compares 0 in the JavaScript engine.`)
  return holds
}

/** Two constants of different types may be equal for `==`, by rules that no file needs. */
function areEqual(name: string, left: unknown, right: unknown): boolean {
  if (name.length === 2 && typeof left !== typeof right)
    throw new Gap('logic', 'It compares two constants of different types.')
  return left === right
}

/** `[a, x, b]` is between two. An absent attribute counts as 0, but equals nothing. */
function orderOf(name: string, args: readonly unknown[], context: LogicContext): Expression {
  if (args.length === 3)
    return all([orderOf(name, args.slice(0, 2), context), orderOf(name, args.slice(1), context)])
  const [left, right] = args.map((arg) => operandOf(arg, context))
  if (!left || !right) throw unlike(name)
  const isMirrored = 'constant' in left
  const [subject, other] = isMirrored ? [right, left] : [left, right]
  const operator = ORDER[isMirrored ? (MIRRORED[name] ?? name) : name]
  if (!('attribute' in subject) || !('constant' in other) || !operator) throw unlike(name)
  if (typeof other.constant !== 'number') throw new Gap('text_order', 'It orders texts.')
  const holds = test(subject.attribute, operator, [textForm(other.constant)])
  if (other.constant === 0 && operator.endsWith('_or_equal'))
    context.differ?.(`Without ${subject.attribute}, ${name} 0 holds in the JavaScript engine.`)
  return holdsForZero(operator, other.constant) ? any([holds, not(isSet(subject.attribute))]) : holds
}

function holdsForZero(operator: Operator, value: number): boolean {
  return operator.startsWith('less_than') ? value > 0 : value < 0
}

/** An attribute among constants, or a constant within a text. */
function membershipOf(args: readonly unknown[], context: LogicContext): Expression {
  const [needle, haystack] = args
  if (Array.isArray(haystack)) {
    const subject = operandOf(needle, context)
    const texts = comparedTexts(haystack)
    if (texts.length < haystack.length) throw new Gap('logic', 'It searches a list of computed values.')
    if ('attribute' in subject) return test(subject.attribute, 'equals', texts)
    return haystack.includes(subject.constant) ? ALWAYS : NEVER
  }
  const [part, subject] = [operandOf(needle, context), operandOf(haystack, context)]
  if (!('attribute' in subject) || !('constant' in part) || typeof part.constant !== 'string')
    throw unlike('in')
  return test(subject.attribute, 'contains', [part.constant])
}
