/**
 * Estimates the bits of a secret from above: the entropy of its characters, or of the steps between them
 * where that is less (`abcdefgh`), in the shortest part that it repeats (`change-me-change-me-`). A random
 * text of 16 hexadecimal digits has about 50.
 */
export function guessBits(secret: string): number {
  const codes = Array.from(secret.slice(0, SECRET_CHARS), (character) => character.codePointAt(0) ?? 0)
  const part = codes.slice(0, periodOf(codes))
  const steps = part.slice(1).map((code, index) => code - (part[index] ?? 0))
  return Math.min(entropy(part), entropy(steps)) * part.length
}

/** Longer secrets are not weaker for what follows. */
const SECRET_CHARS = 1_000

/** Returns the length of the shortest part that a list repeats to its end. */
function periodOf(codes: readonly number[]): number {
  let period = 1
  while (codes.some((code, index) => index >= period && code !== codes[index - period])) period += 1
  return period
}

/** Returns the entropy of one item of a list, in bits. */
function entropy(items: readonly number[]): number {
  const counts = new Map<number, number>()
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1)
  const shares = [...counts.values()].map((count) => count / items.length)
  return shares.reduce((sum, share) => sum - share * Math.log2(share), 0)
}
