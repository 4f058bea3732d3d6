/**
 * The parts of what a Redis connection sent: the published messages, all other bytes, and the start of an
 * incomplete message.
 */
interface Taken {
  readonly messages: readonly Buffer[]
  readonly other: Buffer
  readonly rest: Buffer
}

/**
 * The start of a published message: "message", the channel and the text in an array (`*`) of RESP2 or a push
 * (`>`) of RESP3.
 */
const MESSAGE = Buffer.from('3\r\n$7\r\nmessage\r\n')
const TYPE_BYTES = 1
const BULK_HEAD = /^\$(\d+)\r\n/
const LINE_END_BYTES = 2
/** The length of a head, which exceeds that of any number. */
const HEAD_MAX_BYTES = 16

export function takeMessages(bytes: Buffer): Taken {
  const messages: Buffer[] = []
  const other: Buffer[] = []
  let at = 0
  for (;;) {
    const found = bytes.indexOf(MESSAGE, at + TYPE_BYTES)
    if (found < 0) {
      other.push(bytes.subarray(at))
      return { messages, other: Buffer.concat(other), rest: Buffer.alloc(0) }
    }
    const start = found - TYPE_BYTES
    other.push(bytes.subarray(at, start))
    const afterChannel = endOfBulk(bytes, found + MESSAGE.length)
    const end = afterChannel === null ? null : endOfBulk(bytes, afterChannel)
    if (end === null) return { messages, other: Buffer.concat(other), rest: bytes.subarray(start) }
    messages.push(bytes.subarray(start, end))
    at = end
  }
}

/** Null when it is incomplete. */
function endOfBulk(bytes: Buffer, at: number): number | null {
  const head = BULK_HEAD.exec(bytes.subarray(at, at + HEAD_MAX_BYTES).toString('latin1'))
  if (head === null) return null
  const end = at + head[0].length + Number(head[1]) + LINE_END_BYTES
  return end <= bytes.length ? end : null
}
