import {
  type Flag,
  findUnsafeNumber,
  segmentsBehind,
  type TargetingRule,
  type Warning,
} from '@burgee/contract'
import type { FlagType, JsonValue } from '@burgee/evaluation'
import { fitsType, type Segments } from '../rules/index.ts'

/** Returns warnings about probable mistakes in the values that a flag serves. */
export function findValueWarnings(flag: Flag, segments: Segments): Warning[] {
  const unserved = findUnservedVariants(flag, segments)
  const aboutRules = flag.rules.flatMap((rule, index): Warning[] => {
    if (rule.off || rule.variants) return []
    if (rule.segment_key && rule.operator !== 'not_in_segment') {
      const found = unserved.get(rule.segment_key)
      if (found) return [{ ...describeUnserved(found, flag), path: `/rules/${index}/segment_key` }]
    }
    return ignoredVariant(flag, rule, `/rules/${index}/variant`)
  })
  return [...onWhileOff(flag), ...aboutRules, ...unsafeNumbers(flag)]
}

/** Returns warnings about probable mistakes in the variants of a segment that the flags use. */
export function findVariantWarnings(
  rules: readonly TargetingRule[],
  flags: readonly Pick<Flag, 'key' | 'flag_type'>[],
): Warning[] {
  const firstOfType = new Map([...flags].reverse().map(({ flag_type, key }) => [flag_type, key]))
  return rules.flatMap(({ variant }, index) =>
    [...firstOfType].flatMap(([flagType, key]): Warning[] => {
      if (variant === undefined || variant === null || fitsType(flagType, variant)) return []
      const message = `The flag "${key}" is of type ${flagType}. This variant does not fit it: the flag serves its default_value instead.`
      return [{ code: 'segment_variant_type', path: `/rules/${index}/variant`, message }]
    }),
  )
}

/** Warns of a variant that is ignored: a rule of a boolean flag always serves true. */
function ignoredVariant({ flag_type }: Flag, { variant }: TargetingRule, path: string): Warning[] {
  if (flag_type !== 'boolean' || variant !== false) return []
  const message =
    'A matching rule of a boolean flag serves true; the variant false is ignored. Set off on the rule to serve false.'
  return [{ code: 'boolean_rule_variant', path, message }]
}

function onWhileOff({ disabled_value, flag_type, is_enabled }: Flag): Warning[] {
  if (flag_type !== 'boolean' || is_enabled || disabled_value !== true) return []
  const message = 'The flag is off and its disabled_value is true, so it serves true to every user.'
  return [{ code: 'enabled_when_off', path: '/disabled_value', message }]
}

/** Warns of numbers beyond 2^53, which were rounded when the request was read. */
function unsafeNumbers(flag: Flag): Warning[] {
  if (flag.flag_type !== 'json') return []
  return valuesOf(flag).flatMap(([path, value]): Warning[] => {
    const found = findUnsafeNumber(value)
    if (!found) return []
    const message = `The number is beyond 2^53 and is stored as ${found.value}. In programs of JavaScript it equals its neighbors: send it as a text.`
    return [{ code: 'unsafe_number', path: path + found.path, message }]
  })
}

/** Returns the values that a flag serves or demands, with their places. */
const valuesOf = (flag: Flag): readonly (readonly [string, JsonValue])[] => [
  ['/default_value', flag.default_value],
  ['/disabled_value', flag.disabled_value],
  ...flag.variants.map(({ value }, index) => [`/variants/${index}/value`, value] as const),
  ...flag.rules.flatMap((rule, index) => [
    [`/rules/${index}/variant`, rule.variant ?? null] as const,
    ...(rule.variants ?? []).map(
      ({ value }, inner) => [`/rules/${index}/variants/${inner}/value`, value] as const,
    ),
  ]),
]

interface UnservedVariant {
  readonly segmentKey: string
  readonly ruleIndex: number
  readonly variant: unknown
}

/**
 * Finds, for each segment, its first rule (or the first of a segment that it refers to) whose variant the
 * flag does not serve.
 */
function findUnservedVariants(
  { flag_type, rules }: Flag,
  segments: Segments,
): ReadonlyMap<string, UnservedVariant> {
  const found = new Map<string, UnservedVariant>()
  const namedBy = new Map<string, string[]>()
  for (const segmentKey of segmentsBehind(rules, segments)) {
    for (const [ruleIndex, rule] of (segments.get(segmentKey)?.rules ?? []).entries()) {
      const { operator, segment_key, variant } = rule
      if (segment_key && operator !== 'not_in_segment') addTo(namedBy, segment_key, segmentKey)
      if (!found.has(segmentKey) && isNotServed(rule, flag_type))
        found.set(segmentKey, { segmentKey, ruleIndex, variant })
    }
  }
  // The map grows while it is read: each segment is added once.
  for (const [segmentKey, unserved] of found) {
    for (const other of namedBy.get(segmentKey) ?? []) if (!found.has(other)) found.set(other, unserved)
  }
  return found
}

const isNotServed = ({ variant }: TargetingRule, flagType: FlagType): boolean =>
  variant !== undefined &&
  variant !== null &&
  (!fitsType(flagType, variant) || (flagType === 'boolean' && variant === false))

function describeUnserved(
  { ruleIndex, segmentKey, variant }: UnservedVariant,
  { flag_type }: Flag,
): Omit<Warning, 'path'> {
  const place = `The segment "${segmentKey}" has, at /rules/${ruleIndex}/variant, a value`
  if (flag_type === 'boolean' && variant === false) {
    const message = `${place} false, which is ignored. A boolean flag serves true where a rule matches.`
    return { code: 'boolean_rule_variant', message }
  }
  const message = `${place} that does not fit the type ${flag_type}. This flag serves its default_value instead.`
  return { code: 'segment_variant_type', message }
}

function addTo(lists: Map<string, string[]>, key: string, item: string): void {
  const known = lists.get(key)
  if (known) known.push(item)
  else lists.set(key, [item])
}
