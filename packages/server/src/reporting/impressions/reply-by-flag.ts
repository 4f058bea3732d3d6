import { readCursor } from '../../kernel/list-cursor.ts'
import { listLimit } from '../../kernel/paging.ts'
import type { ListQuery } from '../../platform/db/bounded-page.ts'
import type { EncodedReply } from '../../platform/replies/endpoint-handler.ts'
import { type ListDeps, replyWithList } from '../../platform/replies/reply-with-list.ts'

interface Page {
  readonly limit?: number
  readonly cursor?: string
}

const NAME = 'impressions_by_flag'

/** Responds with one item for each flag, in the order of keys. */
export async function replyByFlag(
  deps: ListDeps,
  { cursor, limit }: Page,
  listAfter: (flag_key: string | null) => ListQuery,
): Promise<EncodedReply> {
  const place = readCursor(NAME, ['text'], cursor)
  const query = listAfter(place && String(place[0]))
  return replyWithList(deps, { name: NAME, query, limit: listLimit(limit) })
}
