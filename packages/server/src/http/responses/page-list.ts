import type { Endpoint } from '@burgee/contract'
import { readCursor, toCursor } from '../../kernel/list-cursor.ts'
import { listLimit } from '../../kernel/paging.ts'
import { shareTurn } from '../../platform/concurrency/turns.ts'
import { encodeItems } from '../../platform/replies/encode-items.ts'
import { ANSWER_MAX_BYTES, NEXT_CURSOR_HEADER } from '../../platform/replies/reply-with-list.ts'

interface PagedList {
  readonly status: number
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
}

/** A response with its body as it is sent. */
type Encoded<A> = A & { readonly bytes?: Buffer }

/** The items that are encoded between two yields. */
const ITEMS_PER_STEP = 200

/**
 * Applies `limit` and `cursor` to a list that its handler returns as a whole, cuts it to the size of one
 * response, and encodes it in pieces with other work between them. It is for lists of short items; large ones
 * are bounded where they are read.
 */
export async function pageList<A extends PagedList>(
  { listedBy, path }: Endpoint,
  query: unknown,
  response: A,
): Promise<Encoded<A>> {
  const { body: items } = response
  if (listedBy === undefined || !Array.isArray(items)) return response
  const { cursor, limit } = Object(query) as { cursor?: string; limit?: number } // Validated: see `listQuery`.
  const idOf = (item: unknown): string => String(Object(item)[listedBy])
  const from = findStart(items, idOf, readCursor(path, ['id', 'text'], cursor))
  const most = listLimit(limit) ?? items.length
  const texts = await encodeFrom(items, from, Math.min(from + most, items.length))
  const to = from + texts.length
  const next = to < items.length ? { [NEXT_CURSOR_HEADER]: toCursor(path, [to, idOf(items[to - 1])]) } : {}
  return {
    ...response,
    body: from === 0 && to === items.length ? items : items.slice(from, to),
    headers: { ...response.headers, ...next },
    bytes: await encodeItems(texts),
  }
}

/** Returns the index after the last item of the previous page, or where that item was when it is gone. */
function findStart(
  items: readonly unknown[],
  idOf: (item: unknown) => string,
  place: readonly (string | number)[] | null,
): number {
  if (place === null) return 0
  const [position, id] = place
  const found = items.findIndex((item) => idOf(item) === id)
  return found < 0 ? Math.min(Number(position), items.length) : found + 1
}

/** Encodes the items that fit into one response, at least one. */
async function encodeFrom(items: readonly unknown[], from: number, to: number): Promise<string[]> {
  const texts: string[] = []
  let characters = 0
  for (let at = from; at < to; at += 1) {
    if (at % ITEMS_PER_STEP === 0) await shareTurn()
    const text = JSON.stringify(items[at])
    characters += text.length
    if (characters > ANSWER_MAX_BYTES && at > from) break
    texts.push(text)
  }
  return texts
}
