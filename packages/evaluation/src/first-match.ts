import type { CompiledCondition } from './compile-condition.ts'
import type { CompiledRule } from './compile-rule.ts'
import type { Evaluation } from './evaluation.ts'
import { passesCondition } from './passes-condition.ts'
import type { RuleIndex } from './rule-index.ts'
import type { Fields } from './wire.ts'

const NONE: readonly number[] = []

/** What the first rule that matches gives, or null. */
export function firstMatch(
  rules: readonly CompiledRule[],
  index: RuleIndex | null,
  attributes: object,
): Evaluation | null {
  if (index === null) return firstInOrder(rules, attributes)
  let first = firstAmong(index.others, rules, attributes, rules.length)
  for (const [attribute, positions] of index.lookups) {
    const value = (attributes as Fields)[attribute]
    if (typeof value === 'string') first = firstAmong(positions.get(value), rules, attributes, first)
    // Numbers, booleans and arrays are not looked up by their text.
    else if (value != null) return firstInOrder(rules, attributes)
  }
  return rules[first]?.match ?? null
}

function firstInOrder(rules: readonly CompiledRule[], attributes: object): Evaluation | null {
  for (const rule of rules) {
    if (matches(rule, attributes)) return rule.match
  }
  return null
}

/** The first of the positions before `bound` whose rule matches, else `bound`. */
function firstAmong(
  positions: readonly number[] | undefined,
  rules: readonly CompiledRule[],
  attributes: object,
  bound: number,
): number {
  for (const position of positions ?? NONE) {
    const rule = rules[position]
    if (position >= bound || rule === undefined) break
    if (matches(rule, attributes)) return position
  }
  return bound
}

function matches({ test, conditions }: CompiledRule, attributes: object): boolean {
  return holds(test, attributes) && conditions.every((condition) => holds(condition, attributes))
}

/**
 * Only the attributes' own properties count. Asking whether a property is one costs more than reading it, so that is
 * asked only where the answer matters: where the value read fares otherwise than an absent one would.
 */
function holds(condition: CompiledCondition, attributes: object): boolean {
  const { attribute, whenAbsent } = condition
  const passes = passesCondition(condition, (attributes as Fields)[attribute])
  return passes === whenAbsent || Object.hasOwn(attributes, attribute) ? passes : whenAbsent
}
