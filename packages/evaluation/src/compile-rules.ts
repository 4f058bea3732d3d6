import { type Condition, compileCondition } from './compile-condition.ts'
import { demand, type Fields, listOf } from './demand.ts'
import type { Evaluation } from './evaluation.ts'
import type { TargetingRule } from './flag.ts'

interface Rule {
  readonly position: number
  readonly conditions: readonly Condition[]
  readonly match: Evaluation
}

/** With fewer rules a walk is as fast. */
const INDEX_PAYS_FROM = 8

/**
 * The targeting rules made ready. Rules whose own test is `equals` are found by the attribute's value, which costs the
 * same however many there are.
 *
 * @param matchOf What a rule gives when it matches.
 * @returns What the first rule that matches gives.
 * @throws TypeError when one is malformed.
 */
export function compileRules(
  rules: readonly Fields[],
  matchOf: (rule: Fields, position: number) => Evaluation,
): (attributes: object) => Evaluation | undefined {
  const compiled = rules.map((fields, position): Rule => {
    // The server expands segments; passing over one could give a user what a later rule says.
    demand(fields.segment_key == null)
    return {
      position,
      conditions: [fields, ...listOf(fields.conditions)].map(compileCondition),
      match: matchOf(fields, position),
    }
  })
  /** What rules with `equals` ask for: the attributes, and by each value the rules that name it, of any attribute. */
  const attributesAsked = new Set<string>()
  const byValue = new Map<string, Rule[]>()
  const others = compiled.filter((rule, position) => {
    const { attribute, operator, values } = rules[position] as Fields & TargetingRule
    if (operator !== 'equals' || rules.length < INDEX_PAYS_FROM) return true
    attributesAsked.add(attribute)
    for (const value of new Set(values)) (byValue.get(value) ?? byValue.set(value, []).get(value))?.push(rule)
    return false
  })
  const names = [...attributesAsked]

  return (attributes) => {
    let first = firstOf(others, attributes)
    for (const name of names) {
      const value = (attributes as Fields)[name]
      if (value != null)
        first = firstOf(typeof value === 'string' ? byValue.get(value) : compiled, attributes, first)
    }
    return first?.match
  }
}

/** The first of the candidates that matches, unless `found` comes before it. */
function firstOf(
  candidates: readonly Rule[] | undefined,
  attributes: object,
  found?: Rule,
): Rule | undefined {
  if (candidates) {
    nextRule: for (const rule of candidates) {
      if (found && found.position < rule.position) break
      for (const holds of rule.conditions) if (!holds(attributes)) continue nextRule
      return rule
    }
  }
  return found
}
