/** A list, or an answer that holds one, with what the next page has. */
export function joinPages<T>(first: T, next: T): T {
  // Pages of one endpoint have one type: a list of both is of that type too.
  if (Array.isArray(first) && Array.isArray(next)) return [...first, ...next] as T
  if (!isRecord(first) || !isRecord(next)) return next
  const lists = Object.entries(first).filter(([, value]) => Array.isArray(value))
  return {
    ...first,
    ...Object.fromEntries(lists.map(([name, value]) => [name, joinPages(value, next[name])])),
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
