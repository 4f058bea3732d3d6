import { readCursor } from '../../kernel/list-cursor.ts'
import { listLimit } from '../../kernel/paging.ts'
import type { EncodedReply } from '../../platform/replies/endpoint-handler.ts'
import { type ListDeps, replyWithList } from '../../platform/replies/reply-with-list.ts'
import { type FlagFilters, flagList } from './flag-list-queries.ts'

export interface ListFlagsInput extends FlagFilters {
  readonly environment_id: string
  readonly limit?: number
  readonly cursor?: string
}

const NAME = 'flags'

/**
 * Responds with the environment's flags as encoded JSON: ten thousand flags are ten megabytes, and parsing
 * and formatting them again would block the server.
 */
export async function listFlags(
  deps: ListDeps,
  { cursor, environment_id, limit, ...filters }: ListFlagsInput,
): Promise<EncodedReply> {
  const [after = null] = readCursor(NAME, ['text'], cursor) ?? []
  const query = flagList(environment_id, filters, after === null ? null : String(after))
  return replyWithList(deps, { name: NAME, query, limit: listLimit(limit) })
}
