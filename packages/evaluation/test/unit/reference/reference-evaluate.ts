import { isDeepStrictEqual } from 'node:util'
import { RE2JS } from 're2js'
import type { Condition, EvaluatedFlag, Evaluation, TargetingRule } from '../../../src/index.ts'
import { referenceMurmur3 } from './reference-murmur3.ts'
import { referenceTime } from './reference-time.ts'
import { compareVersions } from './reference-version.ts'

const LEVELS = 10

/**
 * Implements docs/reference/evaluation.md as plain code: it compiles and memoizes nothing, and is exponential
 * where prerequisites branch. It expects valid flags with every field.
 */
export function referenceEvaluate(
  flags: readonly EvaluatedFlag[],
  flagKey: string,
  userKey: string | null = null,
  attributes: Record<string, unknown> = {},
  levels = LEVELS,
): Evaluation {
  const flag = flags.find(({ key }) => key === flagKey)
  if (flag === undefined) return { value: null, enabled: false, reason: 'FLAG_NOT_FOUND' }
  const disabled = { value: flag.disabled_value, enabled: false }
  for (const { flag_key, required_value } of flag.prerequisites) {
    const referenced =
      levels === 0 ? null : referenceEvaluate(flags, flag_key, userKey, attributes, levels - 1)
    const satisfied =
      referenced?.enabled && (required_value == null || isDeepStrictEqual(referenced.value, required_value))
    if (!satisfied) return { ...disabled, reason: 'PREREQUISITE_FAILED', prerequisite_key: flag_key }
  }
  if (!flag.is_enabled) return { ...disabled, reason: 'DISABLED' }
  const rule_index = flag.rules.findIndex((rule) => ruleMatches(rule, attributes))
  const rule = flag.rules[rule_index]
  if (rule !== undefined) {
    const value = flag.flag_type === 'boolean' ? true : (rule.variant ?? flag.default_value)
    return { value, enabled: true, reason: 'TARGETING_MATCH', rule_index }
  }
  const percentage = flag.rollout_percentage ?? 100
  const bucket = userKey === null ? null : referenceMurmur3(`${flagKey}:${userKey}`) % 100
  const inside = percentage === 100 || (bucket !== null && bucket < percentage)
  if (!inside) return { ...disabled, reason: percentage === 0 ? 'DEFAULT' : 'SPLIT' }
  if (flag.variants.length > 0 && userKey !== null) {
    const variant_index = chosenVariant(flag, userKey)
    const value = flag.variants[variant_index]?.value ?? null
    return { value, enabled: true, reason: 'SPLIT', variant_index }
  }
  const withoutHash = flag.rules.length + flag.variants.length === 0 ? 'STATIC' : 'DEFAULT'
  return { value: flag.default_value, enabled: true, reason: percentage < 100 ? 'SPLIT' : withoutHash }
}

function chosenVariant(flag: EvaluatedFlag, userKey: string): number {
  const total = flag.variants.reduce((sum, { weight }) => sum + weight, 0)
  const point = referenceMurmur3(`variant:${flag.key}:${userKey}`) / 2 ** 32
  let reached = 0
  return flag.variants.findIndex(({ weight }) => {
    reached += weight
    return point < reached / total
  })
}

function ruleMatches(rule: TargetingRule, attributes: Record<string, unknown>): boolean {
  return [rule, ...(rule.conditions ?? [])].every((condition) => conditionHolds(condition, attributes))
}

function conditionHolds(
  { attribute, operator, values }: Condition,
  attributes: Record<string, unknown>,
): boolean {
  const own = Object.hasOwn(attributes, attribute) ? texts(attributes[attribute]) : []
  if (operator === 'is_set') return own.length > 0
  if (operator === 'is_not_set') return own.length === 0
  const negated = operator === 'not_in' ? 'equals' : operator.replace(/^not_/, '')
  if (operator !== 'not_equals' && negated !== operator) {
    return values.length > 0 && !values.some((value) => own.some((text) => textPasses(text, negated, value)))
  }
  if (operator === 'not_equals') return values.some((value) => !own.includes(value))
  return values.some((value) => own.some((text) => textPasses(text, operator, value)))
}

/** The texts of an attribute: none when it is absent, several when it is an array. */
function texts(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))) {
    return [JSON.stringify(value)]
  }
  return Array.isArray(value) ? value.flat(Number.POSITIVE_INFINITY).flatMap(texts) : []
}

function textPasses(text: string, operator: string, value: string): boolean {
  switch (operator) {
    case 'matches':
      return [...text].length <= 512 && RE2JS.compile(value).matcher(text).find()
    case 'semver_equal':
      return compareVersions(text, value) === 0
    case 'semver_greater_than':
      return compareVersions(text, value) > 0
    case 'semver_greater_than_or_equal':
      return compareVersions(text, value) >= 0
    case 'semver_less_than':
      return compareVersions(text, value) < 0
    case 'semver_less_than_or_equal':
      return compareVersions(text, value) <= 0
    case 'before':
      return referenceTime(text) < referenceTime(value)
    case 'after':
      return referenceTime(text) > referenceTime(value)
    case 'equals':
      return text === value
    case 'contains':
      return text.indexOf(value) !== -1
    case 'starts_with':
      return text.slice(0, value.length) === value
    case 'ends_with':
      return text.length >= value.length && text.slice(text.length - value.length) === value
    case 'greater_than':
      return parsed(text) > parsed(value)
    case 'greater_than_or_equal':
      return parsed(text) >= parsed(value)
    case 'less_than':
      return parsed(text) < parsed(value)
    case 'less_than_or_equal':
      return parsed(text) <= parsed(value)
    default:
      throw new Error(`unknown operator ${operator}`)
  }
}

/** Parses a number as JSON does. */
function parsed(text: string): number {
  try {
    const value: unknown = JSON.parse(text.trim())
    return typeof value === 'number' && Number.isFinite(value) ? value : Number.NaN
  } catch {
    return Number.NaN
  }
}
