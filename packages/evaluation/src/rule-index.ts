import type { CompiledRule } from './compile-rule.ts'

/** With fewer rules a walk is as fast. */
const INDEX_PAYS_FROM = 8

/** Where to look among many rules. Positions ascend. */
export interface RuleIndex {
  /** By attribute, by value: the rules whose own test is that the one equals the other. */
  readonly lookups: readonly (readonly [
    attribute: string,
    positions: ReadonlyMap<string, readonly number[]>,
  ])[]
  /** All other rules. */
  readonly others: readonly number[]
}

/** Null where an index does not pay. */
export function indexRules(rules: readonly CompiledRule[]): RuleIndex | null {
  if (rules.length < INDEX_PAYS_FROM) return null
  const lookups = new Map<string, Map<string, number[]>>()
  const others: number[] = []
  for (const [position, { test }] of rules.entries()) {
    if (test.operator !== 'equals') others.push(position)
    else {
      const byValue = lookups.get(test.attribute) ?? new Map<string, number[]>()
      lookups.set(test.attribute, byValue)
      for (const value of test.set) {
        const positions = byValue.get(value) ?? []
        byValue.set(value, positions)
        positions.push(position)
      }
    }
  }
  return { lookups: [...lookups], others }
}
