import type { Operator } from '@burgee/evaluation'
import { matches, USER_KEY } from '../../conditions.ts'
import type { SegmentDraft, Share } from '../../drafts.ts'
import { all, any, type Expression, isSet, not, test } from '../../expression.ts'
import { Gap, orGap } from '../../gap.ts'
import { comparedTexts, type JsonObject, numberOf, objectsOf, textOf } from '../../reading.ts'

export interface FlagsmithSegment {
  readonly draft: SegmentDraft
  /** The share of its users, which the rules that name it have in Burgee. */
  readonly share: Share | null
  /** The states of features that it overrides. */
  readonly states: readonly JsonObject[]
  /** The parts of it that have no equal in Burgee. */
  readonly gaps: readonly { readonly code: string; readonly message: string }[]
}

export function segmentOf(segment: JsonObject): FlagsmithSegment {
  const key = textOf(segment.name) ?? `segment-${String(segment.id)}`
  const gaps: { code: string; message: string }[] = []
  const share = splitOf(segment)
  if (share)
    gaps.push({
      code: 'percentage_split',
      message: 'Flagsmith divides users by its own ids. The share is the same, and other users are in it.',
    })
  const when = orGap(
    () => all(objectsOf(segment.rules).map((rule) => ruleOf(rule, 0))),
    ({ code, message }) => gaps.push({ code, message: `The segment matches no one. ${message}` }),
  )
  return {
    draft: {
      key,
      name: key,
      description: textOf(segment.description),
      included: [],
      excluded: [],
      rules: when ? [{ when }] : [],
    },
    share,
    states: objectsOf(segment.feature_states),
    gaps,
  }
}

const DEPTH_MAX = 20

function ruleOf(rule: JsonObject, depth: number): Expression {
  if (depth > DEPTH_MAX) throw new Gap('too_deep', 'Its rules are nested too deeply.')
  const parts = [
    ...objectsOf(rule.conditions)
      .filter((one) => !isSplit(one))
      .map(conditionOf),
    ...objectsOf(rule.rules).map((one) => ruleOf(one, depth + 1)),
  ]
  const hasSplit = objectsOf(rule.conditions).some(isSplit)
  if (hasSplit && parts.length > 0 && rule.type !== 'ALL')
    throw new Gap('percentage_split', 'A share of users is one of several conditions.')
  if (rule.type === 'NONE') return not(any(parts))
  return rule.type === 'ANY' && parts.length > 0 ? any(parts) : all(parts)
}

const isSplit = ({ operator }: JsonObject) => operator === 'PERCENTAGE_SPLIT'

/** Returns the share of a segment, where one of its conditions is one. */
function splitOf(segment: JsonObject): Share | null {
  const found: JsonObject[] = []
  const search = (rule: JsonObject, depth: number) => {
    found.push(...objectsOf(rule.conditions).filter(isSplit))
    if (depth < DEPTH_MAX) for (const one of objectsOf(rule.rules)) search(one, depth + 1)
  }
  for (const rule of objectsOf(segment.rules)) search(rule, 0)
  const shares = found.map(({ value }) => Math.min(100, Math.max(0, numberOf(value) ?? 0)))
  return shares.length === 0 ? null : { thousandths: Math.round(Math.min(...shares) * 1000) }
}

const COMPARISONS: Readonly<Record<string, { operator: Operator; isNegated?: true }>> = {
  EQUAL: { operator: 'equals' },
  NOT_EQUAL: { operator: 'equals', isNegated: true },
  GREATER_THAN: { operator: 'greater_than' },
  GREATER_THAN_INCLUSIVE: { operator: 'greater_than_or_equal' },
  LESS_THAN: { operator: 'less_than' },
  LESS_THAN_INCLUSIVE: { operator: 'less_than_or_equal' },
  CONTAINS: { operator: 'contains' },
  NOT_CONTAINS: { operator: 'contains', isNegated: true },
}
const VERSIONS: Readonly<Record<string, Operator>> = {
  EQUAL: 'semver_equal',
  NOT_EQUAL: 'semver_equal',
  GREATER_THAN: 'semver_greater_than',
  GREATER_THAN_INCLUSIVE: 'semver_greater_than_or_equal',
  LESS_THAN: 'semver_less_than',
  LESS_THAN_INCLUSIVE: 'semver_less_than_or_equal',
}
const VERSION_SUFFIX = ':semver'

/** A user without the trait meets no condition but IS_NOT_SET, also no negative one. */
function conditionOf(condition: JsonObject): Expression {
  const operator = textOf(condition.operator) ?? ''
  const attribute = attributeOf(textOf(condition.property_) ?? textOf(condition.property) ?? '')
  const [value = ''] = comparedTexts([condition.value])
  if (operator === 'IS_SET') return isSet(attribute)
  if (operator === 'IS_NOT_SET') return not(isSet(attribute))
  if (operator === 'REGEX') return matches(attribute, [`^(?:${value})`])
  if (operator === 'IN') return test(attribute, 'equals', listed(value))
  const comparison = COMPARISONS[operator]
  if (!comparison)
    throw new Gap(operator === 'MODULO' ? 'modulo' : 'operator', `The operator ${operator} has no equal.`)
  const isEquality = operator === 'EQUAL' || operator === 'NOT_EQUAL'
  const version = value.endsWith(VERSION_SUFFIX) ? VERSIONS[operator] : undefined
  const holds = version
    ? test(attribute, version, [value.slice(0, -VERSION_SUFFIX.length)])
    : test(attribute, comparison.operator, isEquality ? formsOf(value) : [value])
  return comparison.isNegated ? all([isSet(attribute), not(holds)]) : holds
}

/** Returns a value as a text, and as the JSON of the boolean or number that a typed trait has. */
function formsOf(value: string): readonly string[] {
  const lower = value.toLowerCase()
  if (lower === 'true' || lower === 'false') return [value, lower]
  const number = numberOf(value)
  return number === null ? [value] : [value, String(number)]
}

/** A list with commas, or a JSON list. */
function listed(value: string): readonly string[] {
  try {
    const list: unknown = JSON.parse(value)
    if (Array.isArray(list)) return comparedTexts(list)
  } catch {
    // It is a list with commas.
  }
  return value.split(',')
}

const attributeOf = (property: string) => (property === '$.identity.identifier' ? USER_KEY : property)
