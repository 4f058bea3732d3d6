/** Returns whether two JSON values are equal, whatever the order of fields. */
export const sameJson = (one: unknown, other: unknown): boolean =>
  one === other || canonicalJson(one) === canonicalJson(other)

/**
 * Formats JSON with the fields of objects sorted and absent ones left out. It is recursive: stored JSON has
 * at most 32 levels.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .map(([key, field]) => `${JSON.stringify(key)}:${canonicalJson(field)}`)
  return `{${fields.sort().join(',')}}`
}
