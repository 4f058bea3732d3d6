import { canonicalJson, type Flag, type Warning } from '@burgee/contract'
import type { TargetingRule as ExpandedRule } from '@burgee/evaluation'
import { Refusal } from '../../kernel/refusal.ts'
import { expandRules, type Segments } from '../rules/index.ts'
import { namesSegments } from './to-wire-flag.ts'

/**
 * Returns warnings about a flag's prerequisites. `flags`, by key, are the flag itself and all that its
 * prerequisites reach. `segments` is null when they are too large to be read for warnings.
 */
export function findPrerequisiteWarnings(
  flag: Flag,
  flags: ReadonlyMap<string, Flag>,
  segments: Segments | null,
): Warning[] {
  const leadsBack = createLeadsBack(flag.key, flags)
  const possibleValues = once((referenced: Flag) => valuesWhenOn(referenced, segments))
  return flag.prerequisites.flatMap(({ flag_key, required_value }, index): Warning[] => {
    const path = `/prerequisites/${index}`
    const referenced = flags.get(flag_key)
    if (!referenced) {
      const message = `There is no flag "${flag_key}" in this environment; the prerequisite fails until there is.`
      return [{ code: 'unknown_prerequisite', path: `${path}/flag_key`, message }]
    }
    const warnings: Warning[] = []
    if (referenced.archived_at !== null) {
      const message = `"${flag_key}" is archived; the prerequisite fails while it is.`
      warnings.push({ code: 'prerequisite_archived', path: `${path}/flag_key`, message })
    }
    if (leadsBack(flag_key)) {
      const message = `"${flag_key}" depends on this flag in turn; a cycle is never satisfied.`
      warnings.push({ code: 'prerequisite_cycle', path: `${path}/flag_key`, message })
    }
    const values = required_value === undefined ? null : possibleValues(referenced)
    if (values && required_value !== undefined && !values.has(canonicalJson(required_value))) {
      const message = `"${flag_key}" never resolves to this value while it is on.`
      warnings.push({ code: 'required_value_unreachable', path: `${path}/required_value`, message })
    }
    return warnings
  })
}

/**
 * Returns a function that finds whether `target` is a prerequisite of a flag, at any depth, or the flag
 * itself. Every flag is visited once.
 */
function createLeadsBack(target: string, flags: ReadonlyMap<string, Flag>): (key: string) => boolean {
  const dependents = dependentsByKey(flags.values())
  const leading = new Set([target])
  for (const key of leading) for (const dependent of dependents.get(key) ?? []) leading.add(dependent)
  return (key) => leading.has(key)
}

/** Returns the keys of the flags that name each key as a prerequisite. */
export function dependentsByKey(
  flags: Iterable<Pick<Flag, 'key' | 'prerequisites'>>,
): ReadonlyMap<string, readonly string[]> {
  const dependents = new Map<string, string[]>()
  for (const { key, prerequisites } of flags) {
    for (const { flag_key } of prerequisites) {
      const known = dependents.get(flag_key)
      if (known) known.push(key)
      else dependents.set(flag_key, [key])
    }
  }
  return dependents
}

/**
 * Returns the values that the enabled flag can have, as canonical JSON. Returns null when its segments were
 * not read, or expand to more than a flag may have, which is possible only for an archived flag.
 */
function valuesWhenOn(flag: Flag, segments: Segments | null): ReadonlySet<string> | null {
  const rules = expandedRules(flag, segments)
  if (rules === null) return null
  const byRule = rules.flatMap((rule) => {
    if (rule.off) return []
    if (flag.flag_type === 'boolean') return [true]
    return rule.variants ? rule.variants.map(({ value }) => value) : [rule.variant ?? flag.default_value]
  })
  const byWeight = flag.variants.filter(({ weight }) => weight > 0).map((variant) => variant.value)
  // With variants, users without a key get the default. Every rule without a variant gives the same default,
  // which may be large.
  const distinct = new Set([...byRule, ...byWeight, flag.default_value])
  return new Set([...distinct].map(canonicalJson))
}

function expandedRules(flag: Flag, segments: Segments | null): readonly ExpandedRule[] | null {
  if (segments === null && namesSegments(flag)) return null
  try {
    return expandRules(flag.rules, segments ?? new Map(), flag.flag_type)
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}

function once<K, V>(make: (key: K) => V): (key: K) => V {
  const made = new Map<K, V>()
  return (key) => {
    const known = made.get(key)
    const value = known ?? make(key)
    if (known === undefined) made.set(key, value)
    return value
  }
}
