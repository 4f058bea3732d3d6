import type { Endpoint } from '@burgee/contract'
import { readCursor, toCursor } from '../kernel/list-cursor.ts'
import { listLimit } from '../kernel/paging.ts'
import { ANSWER_MAX_BYTES, NEXT_CURSOR_HEADER } from '../platform/reply-with-list.ts'

interface PagedList {
  readonly status: number
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
}

/**
 * Applies `limit` and `cursor` to a list that its handler returns as a whole, and cuts it to the size of one
 * response. It is for lists of short items; large ones are bounded where they are read.
 */
export function pageList<A extends PagedList>({ listedBy, path }: Endpoint, query: unknown, response: A): A {
  const { body: items } = response
  if (listedBy === undefined || !Array.isArray(items)) return response
  const { cursor, limit } = Object(query) as { cursor?: string; limit?: number } // Validated: see `listQuery`.
  const idOf = (item: unknown): string => String(Object(item)[listedBy])
  const from = findStart(items, idOf, readCursor(path, ['id', 'text'], cursor))
  const most = listLimit(limit) ?? items.length
  const to = findEnd(items, from, Math.min(from + most, items.length))
  if (from === 0 && to === items.length) return response
  const next = to < items.length ? { [NEXT_CURSOR_HEADER]: toCursor(path, [to, idOf(items[to - 1])]) } : {}
  return { ...response, body: items.slice(from, to), headers: { ...response.headers, ...next } }
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

function findEnd(items: readonly unknown[], from: number, to: number): number {
  let characters = 0
  for (let at = from; at < to; at += 1) {
    characters += JSON.stringify(items[at]).length
    if (characters > ANSWER_MAX_BYTES && at > from) return at
  }
  return to
}
