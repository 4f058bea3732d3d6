import { performance } from 'node:perf_hooks'
import { Readable } from 'node:stream'
import type { Lease } from '../../kernel/lease.ts'
import type { ResponseBudget } from '../../platform/concurrency/response-budget.ts'
import { shareTurn } from '../../platform/concurrency/turns.ts'
import type { EncodedReply } from '../../platform/replies/endpoint-handler.ts'
import { JSON_HEADERS } from '../../platform/replies/stream-json.ts'

/** The time of a turn, and the characters of a response that is sent at once. A larger one is streamed. */
const TURN_MS = 4
const AT_ONCE_LENGTH = 64 * 1024

/** The pieces that are made before they are sent, and the memory for them and for what the socket holds. */
const PIECES_AHEAD = 4
const STREAMED_BYTES = 1024 * 1024
/** The share of the budget that the items of one response can take. */
const HELD_SHARE = 0.25

interface Pieces {
  readonly before: string
  readonly items: Iterator<string>
  readonly after: string
  /** The bytes that the items hold until the last of them was read. */
  readonly heldBytes: number
  /**
   * False where an analysis has loaded them: they are kept while the response waits for memory, which must
   * not be taken by one that waits for an analysis.
   */
  readonly canBuildAgain: boolean
  /** Called in this turn when the other items are read in later ones. */
  readonly onPause: () => void
}

/**
 * Responds with a JSON list between two texts. A reader that is slow holds up the items, not the memory.
 * Where the response has to wait for memory, `build` is called once more, so that nothing of it is kept
 * meanwhile, unless it cannot be called again. What the items hold counts beside the pieces.
 */
export async function replyInPieces(
  budget: ResponseBudget,
  build: () => Promise<Pieces>,
): Promise<EncodedReply> {
  const begun = await begin(await build())
  if (begun.isDone) return { status: 200, bytes: Buffer.from(begun.text), headers: JSON_HEADERS }
  const bytes = STREAMED_BYTES + Math.min(begun.heldBytes, budget.maxBytes * HELD_SHARE)
  if (!begun.canBuildAgain) return stream(begun, await budget.takeKept(bytes))
  const lease = budget.takeNow(bytes)
  return lease ? stream(begun, lease) : replyLater(budget, bytes, build)
}

async function replyLater(
  budget: ResponseBudget,
  bytes: number,
  build: () => Promise<Pieces>,
): Promise<EncodedReply> {
  const lease = await budget.take(bytes)
  try {
    return stream(await begin(await build()), lease)
  } catch (error) {
    lease.release()
    throw error
  }
}

/** The first piece, with `after` where it is all. */
interface Begun extends Pick<Pieces, 'items' | 'after' | 'heldBytes' | 'canBuildAgain'> {
  readonly text: string
  readonly isDone: boolean
}

/** Collects the first piece. Its length alone decides about memory: time only ends a turn. */
async function begin({ before, onPause, ...pieces }: Pieces): Promise<Begun> {
  const { after, items } = pieces
  let { isDone, text } = collect(items, before, '')
  if (!isDone) onPause()
  while (!isDone && text.length <= AT_ONCE_LENGTH) {
    await shareTurn()
    ;({ isDone, text } = collect(items, text, ','))
  }
  return { ...pieces, isDone, text: isDone ? text + after : text }
}

function stream({ after, isDone, items, text }: Begun, lease: Lease): EncodedReply {
  const pieces = isDone ? [text] : rest(text, items, after)
  const bytes = Readable.from(pieces, { highWaterMark: PIECES_AHEAD })
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
    if (text.length > AT_ONCE_LENGTH || performance.now() - startedMs > TURN_MS)
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
