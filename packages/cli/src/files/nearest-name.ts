/** Longer names are not compared: the work is the product of both lengths. */
const LENGTH_MAX = 100
/** A name with more wrong characters than this share of its length is another one. */
const WRONG_SHARE = 0.34
/** One wrong character is a mistyped name also when it is short. */
const WRONG_MIN = 1

/** Returns the name that was probably meant, or null when none is near. */
export function nearestName(given: string, names: readonly string[]): string | null {
  if (given.length > LENGTH_MAX) return null
  const [nearest] = names
    .map((name) => ({ name, distance: editDistance(given.toLowerCase(), name.toLowerCase()) }))
    .filter(
      ({ distance, name }) =>
        distance <= Math.max(WRONG_MIN, Math.max(given.length, name.length) * WRONG_SHARE),
    )
    .toSorted((a, b) => a.distance - b.distance)
  return nearest?.name ?? null
}

/** The number of characters to insert, delete, replace, or exchange with their neighbor (Damerau). */
function editDistance(a: string, b: string): number {
  let before: readonly number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const isExchanged = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const exchanged = isExchanged ? (before[j - 2] ?? 0) + 1 : replaced
      next.push(Math.min(replaced, exchanged, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    before = row
    row = next
  }
  return row.at(-1) ?? 0
}
