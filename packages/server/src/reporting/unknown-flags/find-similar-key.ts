/** The largest edit distance of a suggestion. */
const DISTANCE_MAX = 2
/** The characters in which two keys at this distance can differ: an edit replaces one by another. */
const DIFFERENT_BITS_MAX = 2 * DISTANCE_MAX
/** The pairs of keys whose distance one search computes. Later keys then get no suggestion. */
const COMPARED_MAX = 50_000
/** The keys that are compared before the search yields. */
const KEYS_A_STEP = 500
const BITS = 32

/**
 * Finds for each key the nearest of the existing ones, at an edit distance of at most 2. It yields between
 * its steps. Hostile keys that resemble many others end it early.
 */
export function* findSimilarKeys(
  keys: readonly string[],
  existing: readonly string[],
): Generator<void, ReadonlyMap<string, string>> {
  const candidates = existing.map((key) => ({ key, bits: charactersOf(key) }))
  const similar = new Map<string, string>()
  let left = COMPARED_MAX
  for (const key of keys) {
    const bits = charactersOf(key)
    let nearest = Math.min(DISTANCE_MAX, key.length - 1) + 1
    for (const [nth, candidate] of candidates.entries()) {
      if (nth % KEYS_A_STEP === 0) yield
      if (Math.abs(candidate.key.length - key.length) >= nearest) continue
      if (countBits(candidate.bits ^ bits) > DIFFERENT_BITS_MAX) continue
      if (left === 0) return similar
      left -= 1
      const distance = editDistance(key, candidate.key, nearest - 1)
      if (distance >= nearest) continue
      nearest = distance
      similar.set(key, candidate.key)
    }
  }
  return similar
}

/** The characters of a key as a set of bits. Characters that share a bit only cost a comparison. */
function charactersOf(key: string): number {
  let bits = 0
  for (let at = 0; at < key.length; at += 1) bits |= 1 << (key.charCodeAt(at) % BITS)
  return bits
}

function countBits(bits: number): number {
  let count = 0
  for (let left = bits; left !== 0; left &= left - 1) count += 1
  return count
}

/**
 * Computes the edit distance (Levenshtein 1966) of two texts; `most + 1` when it is larger than `most`. Only
 * the cells within `most` of the diagonal are computed.
 */
export function editDistance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1
  let previous = Array.from({ length: b.length + 1 }, (_, column) => Math.min(column, most + 1))
  for (let row = 1; row <= a.length; row += 1) {
    const current: number[] = new Array(b.length + 1).fill(most + 1)
    current[0] = Math.min(row, most + 1)
    const from = Math.max(1, row - most)
    const to = Math.min(b.length, row + most)
    for (let column = from; column <= to; column += 1) {
      const replaced = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1)
      const edited = Math.min(previous[column] ?? 0, current[column - 1] ?? 0) + 1
      current[column] = Math.min(replaced, edited, most + 1)
    }
    previous = current
  }
  return previous[b.length] ?? most + 1
}
