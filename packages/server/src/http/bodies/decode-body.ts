import { nextTurn } from '../../platform/concurrency/turns.ts'

/** The bytes that are decoded in one turn: characters of four bytes take some milliseconds. */
const STEP_BYTES = 1024 * 1024
/** The bytes of a character behind its first (RFC 3629, section 3). */
const FURTHER_BYTES_MAX = 3
const FURTHER_MASK = 0xc0
const FURTHER = 0x80

const utf8 = new TextDecoder('utf-8', { fatal: true })
/** Keeps a byte order mark, which is an ordinary character where a text does not begin. */
const furtherUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Decodes UTF-8, of a long body in turns. Throws a TypeError where it is none. */
export async function decodeBody(bytes: Uint8Array): Promise<string> {
  let text = ''
  for (let start = 0; ; await nextTurn()) {
    const end = endOfCharacter(bytes, start + STEP_BYTES)
    text += (start === 0 ? utf8 : furtherUtf8).decode(bytes.subarray(start, end))
    if (end === bytes.length) return text
    start = end
  }
}

/** Returns where a character ends: at the position, or up to three bytes behind it. */
function endOfCharacter(bytes: Uint8Array, position: number): number {
  let end = Math.min(position, bytes.length)
  const most = Math.min(position + FURTHER_BYTES_MAX, bytes.length)
  while (end < most && ((bytes[end] ?? 0) & FURTHER_MASK) === FURTHER) end += 1
  return end
}
