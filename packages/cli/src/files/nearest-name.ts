/** Longer names are not compared: the work is the product of both lengths. */
const LENGTH_MAX = 100
/** A name with more wrong characters than this share of its length is another one. */
const WRONG_SHARE = 0.4
/** Two exchanged characters count as two wrong ones, also in a short name. */
const WRONG_MIN = 2

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

/** The number of characters to insert, delete or replace (Levenshtein). */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
