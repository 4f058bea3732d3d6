import { assertValid, type Fields } from './assert-valid.ts'
import type { TargetingRule } from './flag.ts'
import type { Run } from './run.ts'
import type { Condition } from './test-attribute.ts'

interface Rule<Match> {
  readonly position: number
  readonly conditions: readonly Condition[]
  readonly match: Match
}

/** With fewer rules a plain loop is as fast as the index. */
const INDEX_MIN_RULES = 8

/**
 * Compiles the targeting rules. Rules whose own test is `equals` are indexed by value, so their number does
 * not matter.
 *
 * @param compileTests Compiles the rule's own test and all others that must hold.
 * @param matchOf The result of a rule that matches.
 * @returns A function that gives the result of the first matching rule.
 * @throws TypeError when a rule is not valid.
 */
export function compileRules<Match>(
  rules: readonly Fields[],
  compileTests: (rule: Fields) => readonly Condition[],
  matchOf: (rule: Fields, position: number) => Match,
): (attributes: object, userKey: string | null, run?: Run) => Match | undefined {
  const compiled = rules.map((fields, position): Rule<Match> => {
    // The server expands segments. Skipping a rule with one could let a later rule decide.
    assertValid(fields.segment_key == null)
    return {
      position,
      conditions: compileTests(fields),
      match: matchOf(fields, position),
    }
  })
  /** The index of rules with `equals`: by their attribute, the rules of each value. */
  const index = new Map<string, Map<string, Rule<Match>[]>>()
  const others = compiled.filter((rule, position) => {
    // `compiled` has one entry for each rule, and compiling has checked these fields.
    const { attribute, operator, values } = rules[position] as Fields & TargetingRule
    if (operator !== 'equals' || rules.length < INDEX_MIN_RULES) return true
    const byValue = index.get(attribute) ?? new Map<string, Rule<Match>[]>()
    index.set(attribute, byValue)
    for (const value of new Set(values)) (byValue.get(value) ?? byValue.set(value, []).get(value))?.push(rule)
    return false
  })
  const indexed = [...index]

  function findIndexed(attributes: object, userKey: string | null, run?: Run): Match | undefined {
    let first = firstOf(others, attributes, userKey, run)
    // A loop by index is faster here than an iterator.
    for (let at = 0; at < indexed.length; at++) {
      const [name, byValue] = indexed[at] as (typeof indexed)[number]
      // Every object can be read by the name of an own field; these are names.
      const value = (attributes as Fields)[name]
      if (typeof value === 'string') first = firstOf(byValue.get(value), attributes, userKey, run, first)
      // It may equal several values: every rule is tried, once for all attributes.
      else if (value != null) return firstOf(compiled, attributes, userKey, run, first)?.match
    }
    return first?.match
  }

  return (attributes, userKey, run) => {
    const steps = run?.steps ?? 0
    try {
      if (indexed.length > 0) return findIndexed(attributes, userKey, run)
    } catch {
      // A rule behind the one that matches has no effect, and it may be what has failed.
      if (run) run.steps = steps
    }
    return firstOf(compiled, attributes, userKey, run)?.match
  }
}

/** The first candidate that matches, unless `found` comes before it. */
function firstOf<Match>(
  candidates: readonly Rule<Match>[] | undefined,
  attributes: object,
  userKey: string | null,
  run?: Run,
  found?: Rule<Match>,
): Rule<Match> | undefined {
  if (candidates) {
    nextRule: for (const rule of candidates) {
      if (found && found.position < rule.position) break
      for (const holds of rule.conditions) if (!holds(attributes, userKey, run)) continue nextRule
      return rule
    }
  }
  return found
}
