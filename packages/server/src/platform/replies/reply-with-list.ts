import type { Kysely } from 'kysely'
import { toCursor } from '../../kernel/list-cursor.ts'
import type { ResponseBudget } from '../concurrency/response-budget.ts'
import { shareTurn } from '../concurrency/turns.ts'
import { type ListQuery, measureList, type PageItem, readPage } from '../db/bounded-page.ts'
import type { Database } from '../db/tables.ts'
import { encodeItems, type ListWrap } from './encode-items.ts'
import type { EncodedReply } from './endpoint-handler.ts'
import { JSON_HEADERS } from './stream-json.ts'

export interface ListDeps {
  readonly db: Kysely<Database>
  readonly budget: ResponseBudget
}

/**
 * The bytes of a response, at most. Items that do not fit follow its cursor. A single larger item is sent
 * whole.
 */
export const ANSWER_MAX_BYTES = 16 * 1024 * 1024
/** The size below which responses count against no budget: a thousand of them are 128 MiB. */
const SMALL_ANSWER_BYTES = 128 * 1024
/** The items that are converted together, few enough that what their conversion reads fits into memory. */
const CONVERTED_AT_ONCE = 20
/** The items of the first page, so that a long list does not read more rows than it needs. */
const SMALL_ANSWER_ITEMS = 500
/** The memory of a response while it is built: rows, items, their encoding, and what is not collected yet. */
const COPIES_WHILE_BUILT = 4
/** The bytes by which items may have grown between measuring and reading. */
const GROWTH_BYTES = 64 * 1024

export const NEXT_CURSOR_HEADER = 'x-next-cursor'

interface ListReply {
  /** The name in the list's cursors, so that those of another list are refused. */
  readonly name: string
  readonly query: ListQuery
  readonly limit: number | null
  /** Converts read items into those of the response, one for each; null leaves an item out. */
  readonly convert?: (items: readonly string[]) => Promise<readonly (string | null)[]>
  /** The text around the list. */
  readonly wrap?: ListWrap
}

/** Applies a function to items in turns, each of which may be large. */
export async function mapInTurns<T, R>(items: readonly T[], convert: (item: T) => R): Promise<R[]> {
  const converted: R[] = []
  for (const item of items) {
    await shareTurn()
    converted.push(convert(item))
  }
  return converted
}

/** Converts items one by one and in turns, for conversions that read nothing more. */
export const oneByOne =
  (convert: (item: string) => Promise<string | null>) =>
  async (items: readonly string[]): Promise<readonly (string | null)[]> => {
    const texts: (string | null)[] = []
    for (const item of items) {
      await shareTurn()
      texts.push(await convert(item))
    }
    return texts
  }

/**
 * Responds with a list that is bounded by items and bytes. Texts are sent as the database returns them. Small
 * lists take one statement; larger ones are measured first and wait for memory.
 */
export async function replyWithList(deps: ListDeps, list: ListReply): Promise<EncodedReply> {
  const { limit, query } = list
  const few = Math.min(limit ?? SMALL_ANSWER_ITEMS, SMALL_ANSWER_ITEMS)
  const bounds = { limit: few, maxBytes: SMALL_ANSWER_BYTES, atLeast: 0 } as const
  const small = await readPage(deps.db, query, bounds)
  const isWhole = small.items.length > 0 && (!small.has_more || small.items.length === limit)
  if (isWhole) return toReply(list, small.items, small.has_more)
  const measured = await measureList(deps.db, query, limit)
  if (measured === 0) return toReply(list, [], false)
  return replyUpTo(deps, list, Math.min(measured + GROWTH_BYTES, ANSWER_MAX_BYTES))
}

/**
 * Responds with a list whose sizes cost as much to read as its items: it waits for the memory of the largest
 * response before reading anything.
 */
export async function replyUpTo(
  { budget, db }: ListDeps,
  list: ListReply,
  maxBytes: number = ANSWER_MAX_BYTES,
): Promise<EncodedReply> {
  const lease = await budget.take(maxBytes * COPIES_WHILE_BUILT)
  try {
    const page = await readPage(db, list.query, { limit: list.limit, maxBytes, atLeast: 1 })
    const reply = await toReply(list, page.items, page.has_more)
    lease.shrinkTo(reply.bytes.length)
    return { ...reply, lease }
  } catch (error) {
    lease.release()
    throw error
  }
}

async function toReply(list: ListReply, read: readonly PageItem[], has_more: boolean) {
  const { last, texts } = await convertItems(list, read)
  const isCut = last < read.length - 1 || has_more
  const place = read[last]?.place
  return {
    status: 200,
    bytes: await encodeItems(texts, list.wrap),
    headers: {
      ...JSON_HEADERS,
      ...(isCut && place && { [NEXT_CURSOR_HEADER]: toCursor(list.name, place) }),
    },
  }
}

/** Converts items. Conversion may make items larger, and the response then ends earlier. */
async function convertItems({ convert }: ListReply, read: readonly PageItem[]) {
  if (!convert) return { texts: read.map(({ item }) => item), last: read.length - 1 }
  const texts: string[] = []
  let characters = 0
  for (let first = 0; first < read.length; first += CONVERTED_AT_ONCE) {
    const batch = read.slice(first, first + CONVERTED_AT_ONCE)
    for (const [nth, text] of (await convert(batch.map(({ item }) => item))).entries()) {
      if (text === null) continue
      characters += text.length
      if (characters > ANSWER_MAX_BYTES && texts.length > 0) return { texts, last: first + nth - 1 }
      texts.push(text)
    }
  }
  return { texts, last: read.length - 1 }
}
