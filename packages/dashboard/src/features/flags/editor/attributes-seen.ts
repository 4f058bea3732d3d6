import type { Flag, Segment } from '@burgee/contract'

/** The attributes that rules of the environment look at, the most used first. */
export function attributesSeen(flags: readonly Flag[], segments: readonly Segment[]): string[] {
  const counts = new Map<string, number>()
  for (const { rules } of [...flags, ...segments]) {
    for (const rule of rules) {
      for (const { attribute } of [rule, ...(rule.conditions ?? [])]) {
        if (attribute) counts.set(attribute, (counts.get(attribute) ?? 0) + 1)
      }
    }
  }
  return [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([attribute]) => attribute)
}
