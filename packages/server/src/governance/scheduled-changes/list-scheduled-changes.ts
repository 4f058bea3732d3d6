import { readCursor } from '../../kernel/list-cursor.ts'
import { listLimit } from '../../kernel/paging.ts'
import type { EncodedReply } from '../../platform/replies/endpoint-handler.ts'
import { type ListDeps, replyWithList } from '../../platform/replies/reply-with-list.ts'
import { type ScheduledChangeFilter, scheduledChangeList } from './queries.ts'

type ListInput = ScheduledChangeFilter & {
  readonly limit?: number
  readonly cursor?: string
  /** With the impact that was stored with each change. */
  readonly impact?: boolean
}

const NAME = 'scheduled_changes'

/** Lists the scheduled changes of an environment, of one of its flags, or of a requester, by time. */
export async function listScheduledChanges(
  deps: ListDeps,
  { cursor, impact = false, limit, ...filter }: ListInput,
): Promise<EncodedReply> {
  const place = readCursor(NAME, ['instant', 'id'], cursor)
  const after = place && { scheduled_at: String(place[0]), position: Number(place[1]) }
  const query = scheduledChangeList(filter, after, impact)
  return replyWithList(deps, { name: NAME, query, limit: listLimit(limit) })
}
