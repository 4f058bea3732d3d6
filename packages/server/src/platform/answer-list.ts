import type { Kysely } from 'kysely'
import type { EncodedReply } from '../kernel/endpoint-handler.ts'
import { toCursor } from '../kernel/list-cursor.ts'
import type { AnswerBudget } from './answer-budget.ts'
import { type ListQuery, measureList, type PageItem, readPage } from './db/bounded-page.ts'
import type { Database } from './db/tables.ts'
import { encodeItems, type ListWrap } from './encode-items.ts'
import { JSON_HEADERS } from './stream-json.ts'

export interface ListDeps {
  readonly db: Kysely<Database>
  readonly budget: AnswerBudget
}

/** What an answer has at most; what does not fit is behind its cursor. One item that alone is larger is answered whole. */
export const ANSWER_MAX_BYTES = 16 * 1024 * 1024
/** Smaller answers are counted against no budget: a thousand of them are 128 MiB. */
const SMALL_ANSWER_BYTES = 128 * 1024
/** Few enough that what their conversion reads fits into memory. */
const CONVERTED_AT_ONCE = 20
/** So that of a long list no more rows are looked at first. */
const SMALL_ANSWER_ITEMS = 500
/** What items may have grown by between being measured and being read. */
const GROWTH_BYTES = 64 * 1024

export const NEXT_CURSOR_HEADER = 'x-next-cursor'

interface AnsweredList {
  /** Marks the list's cursors, so that those of another list are refused. */
  readonly name: string
  readonly query: ListQuery
  readonly limit: number | null
  /** Makes the items that are answered of some that were read, one for each; null leaves it out. */
  readonly convert?: (items: readonly string[]) => Promise<readonly (string | null)[]>
  /** Text around the list. */
  readonly wrap?: ListWrap
}

/** For items whose conversion reads nothing more. */
export const oneByOne =
  (convert: (item: string) => Promise<string | null>) =>
  async (items: readonly string[]): Promise<readonly (string | null)[]> => {
    const texts: (string | null)[] = []
    for (const item of items) texts.push(await convert(item))
    return texts
  }

/**
 * A list as an answer, bounded by items and by bytes. Texts come from the database as they are sent. Small lists take one statement;
 * a larger one is measured first, and waits until there is memory for it.
 */
export async function answerList(deps: ListDeps, list: AnsweredList): Promise<EncodedReply> {
  const { limit, query } = list
  const few = Math.min(limit ?? SMALL_ANSWER_ITEMS, SMALL_ANSWER_ITEMS)
  const bounds = { limit: few, maxBytes: SMALL_ANSWER_BYTES, atLeast: 0 } as const
  const small = await readPage(deps.db, query, bounds)
  const isWhole = small.items.length > 0 && (!small.has_more || small.items.length === limit)
  if (isWhole) return toReply(list, small.items, small.has_more)
  const measured = await measureList(deps.db, query, limit)
  if (measured === 0) return toReply(list, [], false)
  return answerUpTo(deps, list, Math.min(measured + GROWTH_BYTES, ANSWER_MAX_BYTES))
}

/** The same for a list whose sizes cost as much as its items: nothing is read before there is memory for the largest answer. */
export async function answerUpTo(
  { budget, db }: ListDeps,
  list: AnsweredList,
  maxBytes: number = ANSWER_MAX_BYTES,
): Promise<EncodedReply> {
  const lease = await budget.take(maxBytes)
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

async function toReply(list: AnsweredList, read: readonly PageItem[], has_more: boolean) {
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

/** Conversion may make items larger than they were read: then the answer ends earlier. */
async function convertItems({ convert }: AnsweredList, read: readonly PageItem[]) {
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
