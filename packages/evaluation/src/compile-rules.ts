import { type Condition, compileCondition } from './compile-condition.ts'
import { demand, type Fields, listOf } from './demand.ts'
import type { Evaluation } from './evaluation.ts'

interface Rule {
  readonly position: number
  readonly conditions: readonly Condition[]
  readonly match: Evaluation
}

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
  /** By attribute, by value; all of an attribute's under null. */
  const lookups = new Map<string, Map<string | null, Rule[]>>()
  const others: Rule[] = []
  rules.forEach((fields, position) => {
    const { attribute, operator, values, segment_key, conditions } = fields
    // The server expands segments; passing over one could give a user what a later rule says.
    demand(segment_key == null)
    const rule = {
      position,
      conditions: [fields, ...listOf(conditions)].map(compileCondition),
      match: matchOf(fields, position),
    }
    if (operator !== 'equals') others.push(rule)
    else {
      const byValue = getOrAdd(lookups, attribute as string, () => new Map<string | null, Rule[]>())
      for (const value of new Set([null, ...(values as string[])]))
        getOrAdd(byValue, value, () => [] as Rule[]).push(rule)
    }
  })
  const tables = [...lookups]

  return (attributes) => {
    let first = firstOf(others, attributes, undefined)
    for (const [attribute, byValue] of tables) {
      const value = (attributes as Fields)[attribute]
      if (value != null)
        first = firstOf(byValue.get(typeof value === 'string' ? value : null), attributes, first)
    }
    return first?.match
  }
}

/** The first of the candidates that matches, unless `found` comes before it. */
function firstOf(
  candidates: readonly Rule[] | undefined,
  attributes: object,
  found: Rule | undefined,
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

function getOrAdd<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const value = map.get(key) ?? make()
  map.set(key, value)
  return value
}
