import type { Flag, Segment } from '@burgee/contract'

/** Every attribute that the rules of an environment look at, by name: offered where one is typed. */
export function collectAttributes(
  ...holders: readonly (readonly Pick<Flag | Segment, 'rules'>[])[]
): string[] {
  const names = new Set<string>()
  for (const { rules } of holders.flat()) {
    for (const { attribute, conditions = [], segment_key } of rules) {
      if (attribute && !segment_key) names.add(attribute)
      for (const condition of conditions) names.add(condition.attribute)
    }
  }
  return [...names].sort()
}
