import type { Flag, Warning } from '@burgee/contract'
import { deepEqual, type JsonValue } from '@burgee/evaluation'
import { expandRules, type SegmentRules } from './expand-rules.ts'

/** What is probably a mistake in a flag's prerequisites. `flags` are the environment's, by key, the flag itself included. */
export function findPrerequisiteWarnings(
  flag: Flag,
  flags: ReadonlyMap<string, Flag>,
  segments: SegmentRules,
): Warning[] {
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
    if (leadsBack(flag_key, flag.key, flags)) {
      const message = `"${flag_key}" depends on this flag in turn; a cycle is never satisfied.`
      warnings.push({ code: 'prerequisite_cycle', path: `${path}/flag_key`, message })
    }
    if (required_value !== undefined && !canResolveTo(referenced, required_value, segments)) {
      const message = `"${flag_key}" never resolves to this value while it is on.`
      warnings.push({ code: 'required_value_unreachable', path: `${path}/required_value`, message })
    }
    return warnings
  })
}

/** Is `target` among the prerequisites of `start`, at any depth, or `start` itself? */
function leadsBack(start: string, target: string, flags: ReadonlyMap<string, Flag>): boolean {
  const seen = new Set<string>()
  const pending = [start]
  for (let key = pending.pop(); key !== undefined; key = pending.pop()) {
    if (key === target) return true
    if (seen.has(key)) continue
    seen.add(key)
    pending.push(...(flags.get(key)?.prerequisites ?? []).map((prerequisite) => prerequisite.flag_key))
  }
  return false
}

/** Can the flag, switched on, give this value? */
function canResolveTo(flag: Flag, value: JsonValue, segments: SegmentRules): boolean {
  const rules = expandRules(flag.rules, segments)
  const by_rule = rules.map((rule) =>
    flag.flag_type === 'boolean' ? true : (rule.variant ?? flag.default_value),
  )
  const by_weight = flag.variants.filter(({ weight }) => weight > 0).map((variant) => variant.value)
  const without_rule = by_weight.length > 0 ? by_weight : [flag.default_value]
  return [...by_rule, ...without_rule].some((possible) => deepEqual(possible, value))
}
