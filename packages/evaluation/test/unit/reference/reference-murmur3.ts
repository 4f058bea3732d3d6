const MASK = 0xffffffffn

/**
 * MurmurHash3 x86 32-bit, from the description of the algorithm: integer arithmetic over UTF-8 bytes.
 */
export function referenceMurmur3(text: string, seed = 0): number {
  const bytes = Buffer.from(text, 'utf8')
  let hash = BigInt(seed)
  const whole = bytes.length - (bytes.length % 4)
  for (let at = 0; at < whole; at += 4) {
    hash ^= scrambled(BigInt(bytes.readUInt32LE(at)))
    hash = (rotated(hash, 13n) * 5n + 0xe6546b64n) & MASK
  }
  let tail = 0n
  for (let at = bytes.length - 1; at >= whole; at--) tail = (tail << 8n) | BigInt(bytes[at] ?? 0)
  if (bytes.length > whole) hash ^= scrambled(tail)
  hash ^= BigInt(bytes.length)
  hash ^= hash >> 16n
  hash = (hash * 0x85ebca6bn) & MASK
  hash ^= hash >> 13n
  hash = (hash * 0xc2b2ae35n) & MASK
  hash ^= hash >> 16n
  return Number(hash)
}

function scrambled(block: bigint): bigint {
  return (rotated((block * 0xcc9e2d51n) & MASK, 15n) * 0x1b873593n) & MASK
}

function rotated(word: bigint, by: bigint): bigint {
  return ((word << by) | (word >> (32n - by))) & MASK
}
