import { canonicalJson, type Flag, type Warning } from '@burgee/contract'
import type { TargetingRule as ExpandedRule, JsonValue } from '@burgee/evaluation'
import { Refusal } from '../../kernel/refusal.ts'
import { shareTurn } from '../../platform/concurrency/turns.ts'
import { createExpansionBudget, expandRules, type Segments } from '../rules/index.ts'
import { namesSegments } from './to-wire-flag.ts'

/**
 * Returns warnings about a flag's prerequisites. `flags`, by key, are the flag itself and all that its
 * prerequisites reach. `segments` is null when they are too large to be read for warnings.
 */
export async function findPrerequisiteWarnings(
  flag: Flag,
  flags: ReadonlyMap<string, Flag>,
  segments: Segments | null,
): Promise<Warning[]> {
  if (flag.prerequisites.length === 0) return []
  const leadsBack = await createLeadsBack(flag.key, flags)
  const possibleValues = rememberValues(segments)
  const warnings: Warning[] = []
  for (const [index, { flag_key, required_value }] of flag.prerequisites.entries()) {
    const path = `/prerequisites/${index}`
    const referenced = flags.get(flag_key)
    if (!referenced) {
      const message = `There is no flag "${flag_key}" in this environment; the prerequisite fails until there is.`
      warnings.push({ code: 'unknown_prerequisite', path: `${path}/flag_key`, message })
      continue
    }
    if (referenced.archived_at !== null) {
      const message = `"${flag_key}" is archived; the prerequisite fails while it is.`
      warnings.push({ code: 'prerequisite_archived', path: `${path}/flag_key`, message })
    }
    if (leadsBack(flag_key)) {
      const message = `"${flag_key}" depends on this flag in turn; a cycle is never satisfied.`
      warnings.push({ code: 'prerequisite_cycle', path: `${path}/flag_key`, message })
    }
    if (required_value === undefined) continue
    await shareTurn()
    const mayBe = possibleValues(referenced)
    await shareTurn()
    if (mayBe && !mayBe(required_value)) {
      const message = `"${flag_key}" never resolves to this value while it is on.`
      warnings.push({ code: 'required_value_unreachable', path: `${path}/required_value`, message })
    }
  }
  return warnings
}

/**
 * Returns a function that finds whether `target` is a prerequisite of a flag, at any depth, or the flag
 * itself. Every flag is visited once.
 */
async function createLeadsBack(
  target: string,
  flags: ReadonlyMap<string, Flag>,
): Promise<(key: string) => boolean> {
  const dependents = await dependentsByKey(flags.values())
  const leading = new Set([target])
  for (const key of leading) {
    await shareTurn()
    for (const dependent of dependents.get(key) ?? []) leading.add(dependent)
  }
  return (key) => leading.has(key)
}

/** Returns the keys of the flags that name each key as a prerequisite. */
export async function dependentsByKey(
  flags: Iterable<Pick<Flag, 'key' | 'prerequisites'>>,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const dependents = new Map<string, string[]>()
  for (const { key, prerequisites } of flags) {
    if (prerequisites.length > 0) await shareTurn()
    for (const { flag_key } of prerequisites) {
      const known = dependents.get(flag_key)
      if (known) known.push(key)
      else dependents.set(flag_key, [key])
    }
  }
  return dependents
}

/** Returns whether an enabled flag can have the value. */
type MayBe = (value: JsonValue) => boolean

/**
 * Returns a function that gives the values which an enabled flag can have. It gives null when the segments
 * were not read, when they expand to more than a flag may have, which is possible only for an archived flag,
 * and when the expansions of all flags together have taken the steps of one.
 */
function rememberValues(segments: Segments | null): (flag: Flag) => MayBe | null {
  const known = new Map<Flag, MayBe | null>()
  const budget = createExpansionBudget()

  function expandedRules(flag: Flag): readonly ExpandedRule[] | null {
    if (segments === null && namesSegments(flag)) return null
    try {
      return expandRules(flag.rules, segments ?? new Map(), flag.flag_type, budget)
    } catch (error) {
      if (error instanceof Refusal) return null
      throw error
    }
  }

  return (flag) => {
    const found = known.get(flag)
    if (found !== undefined) return found
    const rules = expandedRules(flag)
    const values = rules && valuesWhenOn(flag, rules)
    known.set(flag, values)
    return values
  }
}

function valuesWhenOn(flag: Flag, rules: readonly ExpandedRule[]): MayBe {
  const byRule = rules.flatMap((rule) => {
    if (rule.off) return []
    if (flag.flag_type === 'boolean') return [true]
    return rule.variants ? rule.variants.map(({ value }) => value) : [rule.variant ?? flag.default_value]
  })
  const byWeight = flag.variants.filter(({ weight }) => weight > 0).map((variant) => variant.value)
  // With variants, users without a key get the default. Every rule without a variant gives the same default,
  // which may be large.
  const distinct = new Set<JsonValue>([...byRule, ...byWeight, flag.default_value])
  let texts: ReadonlySet<string> | undefined
  return (value) => {
    // The texts of lists and objects may be long, and few prerequisites demand one.
    if (!isContainer(value)) return distinct.has(value)
    texts ??= new Set([...distinct].filter(isContainer).map(canonicalJson))
    return texts.has(canonicalJson(value))
  }
}

const isContainer = (value: JsonValue): boolean => typeof value === 'object' && value !== null
