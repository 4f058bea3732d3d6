import { type Fields, listOf } from '../assert-valid.ts'
import { compileAnyCondition } from '../compile-any-condition.ts'
import { shorten } from './shorten.ts'
import type { SeenAttribute, Subject } from './subject.ts'
import type { ConditionTrace, RuleOrigin, RuleTrace, Trace } from './trace.ts'
import { traceRuleRollout } from './trace-rollout.ts'

/** The rules that a trace lists, beside the one that matched, and the conditions of each. */
const RULES_MAX = 100
const CONDITIONS_MAX = 100
const VALUES_MAX = 20

/**
 * Returns the outcome of each rule. Those behind the match were not evaluated; where an earlier step
 * decided, none was.
 */
export function traceRules(subject: Subject): Pick<Trace, 'rules' | 'omitted_rules'> {
  const { evaluation, flag } = subject
  const { reason, rule_index: matched = -1 } = evaluation
  const isReached = reason !== 'PREREQUISITE_FAILED' && reason !== 'DISABLED'
  const all = listOf(flag.rules)
  const traceOne = createConditionTraces(subject)
  const listed = [...all.keys()].slice(0, RULES_MAX)
  if (matched >= RULES_MAX) listed.push(matched)
  const origins = originsAt(flag.origins, listed)
  const rules = listed.map((index, at): RuleTrace => {
    const origin = origins[at] ?? { rule_index: index, segment_keys: [] }
    if (!isReached || (matched >= 0 && index > matched))
      return { index, origin, state: 'not_evaluated', conditions: [] }
    const rule = all[index] ?? {}
    const tests = [rule, ...listOf(rule.conditions)]
    const rollout = traceRuleRollout(subject, rule)
    const omitted = tests.length - CONDITIONS_MAX
    return {
      index,
      origin,
      state: index === matched ? 'matched' : 'no_match',
      conditions: tests.slice(0, CONDITIONS_MAX).map(traceOne),
      ...(omitted > 0 ? { omitted_conditions: omitted } : undefined),
      ...(rollout ? { rollout } : undefined),
    }
  })
  const omitted = all.length - rules.length
  return { rules, ...(omitted > 0 && { omitted_rules: omitted }) }
}

/** Each attribute is read and cut once for all rules. */
function createConditionTraces({
  attributes,
  conditions,
  run,
  seen,
  userKey,
}: Subject): (condition: Fields) => ConditionTrace {
  function read(attribute: string): SeenAttribute {
    const isPresent = compileAnyCondition({ attribute, operator: 'is_set', values: [] })
    const given = Object.hasOwn(attributes, attribute) ? (attributes as Fields)[attribute] : undefined
    const found = { is_present: isPresent(attributes, userKey, run), actual: shorten(given) }
    seen.set(attribute, found)
    return found
  }
  return (condition) => {
    const { values } = condition
    // Compiling has checked them.
    const { attribute, operator } = condition as unknown as Pick<ConditionTrace, 'attribute' | 'operator'>
    // Those of `is_set` are ignored, whatever they are.
    const texts: readonly string[] = Array.isArray(values) ? values : []
    const omitted = texts.length - VALUES_MAX
    const { actual, is_present } = seen.get(attribute) ?? read(attribute)
    const holds = (conditions.get(condition) ?? compileAnyCondition(condition))(attributes, userKey, run)
    // Not one literal with a spread, which takes longer than the test.
    if (omitted <= 0) return { attribute, operator, values: texts, is_present, actual, holds }
    const listed = texts.slice(0, VALUES_MAX)
    return { attribute, operator, values: listed, omitted_values: omitted, is_present, actual, holds }
  }
}

/** The origins of the rules with these ascending indexes. They are given as runs of equal ones. */
function originsAt(origins: unknown, indexes: readonly number[]): RuleOrigin[] {
  const runs = Array.isArray(origins) ? (origins as (RuleOrigin & { readonly count: number })[]) : []
  const found: RuleOrigin[] = []
  let end = 0
  for (const { count, rule_index, segment_keys, segment_paths } of runs) {
    end += count
    const origin = segment_paths ? { rule_index, segment_keys, segment_paths } : { rule_index, segment_keys }
    while (found.length < indexes.length && (indexes[found.length] ?? 0) < end) found.push(origin)
  }
  return found
}
