/**
 * Splits bytes at positions that their content decides, so that texts which differ in one place share all
 * other chunks: an edit changes only the chunks around it. The rolling hash is Gear (Xia et al., "Ddelta",
 * 2014): each byte shifts the hash by one bit and adds a random number, so the last 32 bytes decide. A chunk
 * ends where the upper bits are zero.
 */
export function splitIntoChunks(bytes: Buffer): Buffer[] {
  const chunks: Buffer[] = []
  for (let start = 0; start < bytes.length; ) {
    const end = findCut(bytes, start)
    chunks.push(bytes.subarray(start, end))
    start = end
  }
  return chunks
}

/**
 * The bounds of a chunk: no end within the first bytes, on average one every 8 KiB after that, and one at the
 * maximum.
 */
const CHUNK_MIN_BYTES = 2 * 1024
const CHUNK_MAX_BYTES = 32 * 1024
const CUT_MASK = 0xfff8_0000 | 0
/** The number of bytes that decide about an end. */
const WINDOW_BYTES = 32

function findCut(bytes: Buffer, start: number): number {
  const last = Math.min(start + CHUNK_MAX_BYTES, bytes.length)
  const earliest = start + CHUNK_MIN_BYTES
  if (earliest >= last) return last
  let hash = 0
  for (let at = earliest - WINDOW_BYTES; at < last; at += 1) {
    hash = ((hash << 1) + (GEAR[bytes[at] ?? 0] ?? 0)) | 0
    if ((hash & CUT_MASK) === 0 && at >= earliest) return at + 1
  }
  return last
}

const BYTE_VALUES = 256
/**
 * Fixed random numbers in every release. Others would only cost space, because texts would be split
 * elsewhere.
 */
const GEAR = makeGear()

function makeGear(): Int32Array {
  const gear = new Int32Array(BYTE_VALUES)
  let state = 0x9e3779b9
  for (let value = 0; value < gear.length; value += 1) {
    // Mulberry32.
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    gear[value] = (mixed ^ (mixed >>> 14)) | 0
  }
  return gear
}
