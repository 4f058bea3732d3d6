import { assertValid, type Fields, listOf } from './assert-valid.ts'
import { compileAnyCondition } from './compile-any-condition.ts'
import type { Condition } from './compile-condition.ts'
import type { Evaluation } from './evaluation.ts'
import type { TargetingRule } from './flag.ts'

interface Rule {
  readonly position: number
  readonly conditions: readonly Condition[]
  readonly match: Evaluation
}

/** With fewer rules a plain loop is as fast as the index. */
const INDEX_MIN_RULES = 8

/**
 * Compiles the targeting rules. Rules whose own test is `equals` are indexed by value, so their number does
 * not matter.
 *
 * @param resultOf The result of a rule that matches.
 * @returns A function that gives the result of the first matching rule.
 * @throws TypeError when a rule is not valid.
 */
export function compileRules(
  rules: readonly Fields[],
  resultOf: (rule: Fields, position: number) => Evaluation,
): (attributes: object) => Evaluation | undefined {
  const compiled = rules.map((fields, position): Rule => {
    // The server expands segments. Skipping a rule with one could let a later rule decide.
    assertValid(fields.segment_key == null)
    return {
      position,
      conditions: [fields, ...listOf(fields.conditions)].map(compileAnyCondition),
      match: resultOf(fields, position),
    }
  })
  /**
   * The index of rules with `equals`: their attributes, and the rules of each value, whatever their
   * attribute.
   */
  const indexedAttributes = new Set<string>()
  const rulesByValue = new Map<string, Rule[]>()
  const others = compiled.filter((rule, position) => {
    // `compiled` has one entry for each rule, and compiling has checked these fields.
    const { attribute, operator, values } = rules[position] as Fields & TargetingRule
    if (operator !== 'equals' || rules.length < INDEX_MIN_RULES) return true
    indexedAttributes.add(attribute)
    for (const value of new Set(values))
      (rulesByValue.get(value) ?? rulesByValue.set(value, []).get(value))?.push(rule)
    return false
  })
  const names = [...indexedAttributes]

  return (attributes) => {
    let first = firstOf(others, attributes)
    for (const name of names) {
      // Every object can be read by the name of an own field; `indexedAttributes` are names.
      const value = (attributes as Fields)[name]
      if (value != null)
        first = firstOf(typeof value === 'string' ? rulesByValue.get(value) : compiled, attributes, first)
    }
    return first?.match
  }
}

/** The first candidate that matches, unless `found` comes before it. */
function firstOf(
  candidates: readonly Rule[] | undefined,
  attributes: object,
  found?: Rule,
): Rule | undefined {
  if (candidates) {
    nextRule: for (const rule of candidates) {
      if (found && found.position < rule.position) break
      for (const holds of rule.conditions) if (!holds(attributes, null)) continue nextRule
      return rule
    }
  }
  return found
}
