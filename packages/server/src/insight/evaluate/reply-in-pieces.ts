import { performance } from 'node:perf_hooks'
import { Readable } from 'node:stream'
import type { ResponseBudget } from '../../platform/concurrency/response-budget.ts'
import { shareTurn } from '../../platform/concurrency/turns.ts'
import type { EncodedReply } from '../../platform/replies/endpoint-handler.ts'
import { JSON_HEADERS } from '../../platform/replies/stream-json.ts'

/** The time and the characters of a response that is sent at once. A larger one is streamed. */
const AT_ONCE_MS = 4
const AT_ONCE_LENGTH = 64 * 1024

/** The pieces that are made before they are sent, and the memory for them and for what the socket holds. */
const PIECES_AHEAD = 4
const STREAMED_BYTES = 1024 * 1024

interface Pieces {
  readonly before: string
  readonly items: Iterator<string>
  readonly after: string
  /** Called in this turn when the other items are read in later ones. */
  readonly onPause: () => void
}

/** Responds with a JSON list between two texts. A reader that is slow holds up the items, not the memory. */
export async function replyInPieces(
  budget: ResponseBudget,
  { after, before, items, onPause }: Pieces,
): Promise<EncodedReply> {
  const first = collect(items, before, '')
  if (first.isDone) return { status: 200, bytes: Buffer.from(first.text + after), headers: JSON_HEADERS }
  onPause()
  const lease = await budget.take(STREAMED_BYTES)
  const bytes = Readable.from(rest(first.text, items, after), { highWaterMark: PIECES_AHEAD })
  return { status: 200, bytes, headers: JSON_HEADERS, lease }
}

/** Joins items until there is enough of them. */
function collect(items: Iterator<string>, before: string, separator: string) {
  const startedMs = performance.now()
  let text = before
  let between = separator
  for (;;) {
    const item = items.next()
    if (item.done) return { text, isDone: true }
    text += between + item.value
    between = ','
    if (text.length > AT_ONCE_LENGTH || performance.now() - startedMs > AT_ONCE_MS)
      return { text, isDone: false }
  }
}

async function* rest(first: string, items: Iterator<string>, after: string): AsyncGenerator<string> {
  yield first
  for (;;) {
    await shareTurn()
    const { isDone, text } = collect(items, '', ',')
    yield isDone ? text + after : text
    if (isDone) return
  }
}
