import { readCursor } from '../../kernel/list-cursor.ts'
import { listLimit } from '../../kernel/paging.ts'
import type { EncodedReply } from '../../platform/endpoint-handler.ts'
import { type ListDeps, replyWithList } from '../../platform/reply-with-list.ts'
import { type ScheduledChangeFilter, scheduledChangeList } from './queries.ts'

type ListInput = ScheduledChangeFilter & {
  readonly limit?: number
  readonly cursor?: string
}

const NAME = 'scheduled_changes'

/** Lists the scheduled changes of an environment, of one of its flags, or of a requester, by time. */
export async function listScheduledChanges(
  deps: ListDeps,
  { cursor, limit, ...filter }: ListInput,
): Promise<EncodedReply> {
  const place = readCursor(NAME, ['instant', 'id'], cursor)
  const after = place && { scheduled_at: String(place[0]), position: Number(place[1]) }
  const query = scheduledChangeList(filter, after)
  return replyWithList(deps, { name: NAME, query, limit: listLimit(limit) })
}
