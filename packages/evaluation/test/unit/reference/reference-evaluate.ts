import { isDeepStrictEqual } from 'node:util'
import { RE2JS } from 're2js'
import {
  type Condition,
  type EvaluatedFlag,
  type Evaluation,
  listRequirements,
  type Operator,
  type TargetingRule,
} from '../../../src/index.ts'
import { referenceMurmur3 } from './reference-murmur3.ts'
import { referencePlace } from './reference-place.ts'
import { REFERENCE_MAX_STEPS, referenceSteps } from './reference-steps.ts'
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
  spent = new Map<string, number>(),
): Evaluation {
  const flag = flags.find(({ key }) => key === flagKey)
  if (flag === undefined) return { value: null, enabled: false, reason: 'FLAG_NOT_FOUND' }
  const { step, ...result } = evaluateSteps(flag, flags, { userKey, attributes, levels, spent })
  if (total(spent) > REFERENCE_MAX_STEPS) return { value: null, enabled: false, reason: 'ERROR' }
  const named = Object.keys(flag.variant_names ?? {})
    .sort()
    .find((name) => isDeepStrictEqual(flag.variant_names?.[name], result.value))
  const isShort =
    ['boolean', 'number', 'string'].includes(typeof result.value) && `${result.value}`.length <= 100
  return { ...result, variant: named ?? (isShort ? `${result.value}` : step) }
}

interface Question {
  readonly userKey: string | null
  readonly attributes: Record<string, unknown>
  readonly levels: number
  /** The steps of the flags whose rules were reached. */
  readonly spent: Map<string, number>
}

const total = (spent: ReadonlyMap<string, number>) => [...spent.values()].reduce((sum, each) => sum + each, 0)

/** The result, and the name of the step that decided. */
function evaluateSteps(
  flag: EvaluatedFlag,
  flags: readonly EvaluatedFlag[],
  { userKey, attributes: given, levels, spent }: Question,
): Evaluation & { step: string } {
  const disabled = { value: flag.disabled_value, enabled: false, step: 'disabled' }
  for (const { flag_key, required_value } of flag.prerequisites) {
    const referenced =
      levels === 0 ? null : referenceEvaluate(flags, flag_key, userKey, given, levels - 1, spent)
    const satisfied =
      referenced?.enabled && (required_value == null || isDeepStrictEqual(referenced.value, required_value))
    if (!satisfied) return { ...disabled, reason: 'PREREQUISITE_FAILED', prerequisite_key: flag_key }
  }
  if (!flag.is_enabled) return { ...disabled, reason: 'DISABLED' }
  const attributes = seenAttributes(flag, userKey, given)
  spent.set(flag.key, referenceSteps(flag, userKey, attributes))
  const rule_index = flag.rules.findIndex(
    (rule) =>
      ruleMatches(rule, attributes) && isInShare({ ...flag, ...divisionOf(rule) }, rule, userKey, attributes),
  )
  const rule = flag.rules[rule_index]
  if (rule?.off) return { ...disabled, reason: 'TARGETING_MATCH', rule_index }
  if (rule?.variants?.length) {
    const chosen = chosenVariant({ ...flag, ...divisionOf(rule) }, rule.variants, userKey, attributes)
    if (chosen) return { ...chosen, rule_index }
  }
  if (rule !== undefined) {
    const value = flag.flag_type === 'boolean' ? true : (rule.variant ?? flag.default_value)
    return { value, enabled: true, reason: 'TARGETING_MATCH', rule_index, step: `rule-${rule_index}` }
  }
  const share = shareOf(flag)
  if (!isInside(flag, flag, userKey, attributes)) {
    return { ...disabled, reason: share === 0 ? 'DEFAULT' : 'SPLIT' }
  }
  const chosen = flag.variants.length > 0 && chosenVariant(flag, flag.variants, userKey, attributes)
  if (chosen) return chosen
  const withoutHash = flag.rules.length + flag.variants.length === 0 ? 'STATIC' : 'DEFAULT'
  const reason = share < 100_000 ? 'SPLIT' : withoutHash
  return { value: flag.default_value, enabled: true, reason, step: 'default' }
}

/** The fields of a rule that go before those of its flag. */
const divisionOf = ({ bucket_by, hash, rollout_salt, variant_salt }: TargetingRule) =>
  Object.fromEntries(
    Object.entries({ bucket_by, hash, rollout_salt, variant_salt }).filter(([, value]) => value != null),
  )

function seenAttributes(flag: EvaluatedFlag, userKey: string | null, given: Record<string, unknown>) {
  if (!listRequirements(flag).includes('user_key')) return given
  const own = Object.entries(given).filter(([name]) => name === '$user_key' || !name.startsWith('$'))
  return Object.fromEntries([['$user_key', userKey], ...own])
}

const shareOf = (fields: { rollout_percentage?: number | null; rollout_thousandths?: number | null }) =>
  fields.rollout_thousandths ?? (fields.rollout_percentage ?? 100) * 1000

function keyOf(flag: EvaluatedFlag, userKey: string | null, attributes: Record<string, unknown>) {
  if (flag.bucket_by == null) return userKey
  const value = Object.hasOwn(attributes, flag.bucket_by) ? attributes[flag.bucket_by] : null
  return Array.isArray(value) ? null : (texts(value)[0] ?? null)
}

/** A rule with a share, a full one included, matches no user without a key. */
function isInShare(
  flag: EvaluatedFlag,
  rule: TargetingRule,
  userKey: string | null,
  attributes: Record<string, unknown>,
): boolean {
  const hasShare = rule.rollout_percentage != null || rule.rollout_thousandths != null
  if (hasShare && keyOf(flag, userKey, attributes) === null) return false
  return isInside(flag, rule, userKey, attributes)
}

function isInside(
  flag: EvaluatedFlag,
  shared: Parameters<typeof shareOf>[0],
  userKey: string | null,
  attributes: Record<string, unknown>,
): boolean {
  const key = keyOf(flag, userKey, attributes)
  if (shareOf(shared) === 100_000 || key === null) return shareOf(shared) === 100_000
  const salt = flag.rollout_salt ?? `${flag.key}:`
  const place = referencePlace(flag.hash ?? 'murmur3', salt, key)
  if (place !== null) return place < shareOf(shared) / 100_000
  const hash = referenceMurmur3(salt + key)
  return (hash % 100) * 1000 + (Math.floor(hash / 100) % 1000) < shareOf(shared)
}

function chosenVariant(
  flag: EvaluatedFlag,
  variants: EvaluatedFlag['variants'],
  userKey: string | null,
  attributes: Record<string, unknown>,
): (Evaluation & { step: string }) | null {
  const key = keyOf(flag, userKey, attributes)
  if (key === null) return null
  const total = variants.reduce((sum, { weight }) => sum + weight, 0)
  const salt = flag.variant_salt ?? `variant:${flag.key}:`
  const place =
    referencePlace(flag.hash ?? 'murmur3', salt, key, total) ?? referenceMurmur3(salt + key) / 2 ** 32
  let reached = 0
  const variant_index = variants.findIndex(({ weight }) => {
    reached += weight
    return place < reached / total
  })
  const value = variants[variant_index]?.value ?? null
  return { value, enabled: true, reason: 'SPLIT', variant_index, step: `variant-${variant_index}` }
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
    return (
      values.length > 0 && !conditionHolds({ attribute, operator: negated as Operator, values }, attributes)
    )
  }
  if (operator === 'not_equals') return values.some((value) => !own.includes(value))
  const tested = operator === 'matches' ? searched(attributes[attribute], own) : own
  return values.some((value) => tested.some((text) => textPasses(text, operator, value)))
}

/** The first 100 different texts in which patterns search, of which those of inner arrays come later. */
function searched(value: unknown, own: readonly string[]): string[] {
  if (!Array.isArray(value) || own.length === 0) return [...own]
  const found: string[] = []
  let level: unknown[] = value
  while (level.length > 0) {
    found.push(...level.filter((element) => !Array.isArray(element)).flatMap(texts))
    level = level.filter((element) => Array.isArray(element)).flat()
  }
  return [...new Set(found)].slice(0, 100)
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
