import type { Flag, Segment } from '@burgee/contract'

/**
 * Every attribute that the rules of an environment look at, the most used first: offered where one is typed.
 */
export function collectAttributes(
  ...holders: readonly (readonly Pick<Flag | Segment, 'rules'>[])[]
): string[] {
  const counts = new Map<string, number>()
  for (const { rules } of holders.flat()) {
    for (const { attribute, conditions = [], segment_key } of rules) {
      const names = conditions.flatMap((condition) => ('attribute' in condition ? [condition.attribute] : []))
      if (attribute && !segment_key) names.push(attribute)
      for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
    }
  }
  return [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([name]) => name)
}
