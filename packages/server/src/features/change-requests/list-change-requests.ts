import type { Kysely } from 'kysely'
import type { EncodedReply } from '../../kernel/endpoint-handler.ts'
import { readCursor } from '../../kernel/list-cursor.ts'
import { listLimit } from '../../kernel/paging.ts'
import { answerList, type ListDeps } from '../../platform/answer-list.ts'
import type { Database } from '../../platform/db/tables.ts'
import { findCreationTimes, findFlags } from '../flags/index.ts'
import { previewChange } from './preview-change.ts'
import { type ChangeRequestFilter, changeRequestList, type StoredChangeRequest } from './queries.ts'
import { toChangeRequest } from './to-change-request.ts'

interface ListInput extends ChangeRequestFilter {
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
  /** ISO-8601 UTC. */
  readonly now: string
}

const NAME = 'change_requests'

/** Requests of an environment, newest first; the pending ones with a preview against their flags as they are now. */
export async function listChangeRequests(
  deps: ListDeps,
  { cursor, limit, now, ...filter }: ListInput,
): Promise<EncodedReply> {
  const [before_id = null] = readCursor(NAME, ['id'], cursor) ?? []
  return answerList(deps, {
    name: NAME,
    query: changeRequestList(filter, before_id === null ? null : Number(before_id)),
    limit: listLimit(limit),
    async convert(item) {
      const stored: StoredChangeRequest = JSON.parse(item)
      const preview =
        stored.status === 'pending'
          ? await previewChange(stored, await findFlagOf(deps.db, stored), now)
          : null
      return JSON.stringify(toChangeRequest(stored, preview))
    },
  })
}

/** The flag that a request is about. One that was created since under the same key is another flag. */
async function findFlagOf(
  db: Kysely<Database>,
  { created_at, environment_id, flag_key }: StoredChangeRequest,
) {
  const births = await findCreationTimes(db, environment_id, [flag_key])
  if ((births.get(flag_key) ?? '') > created_at) return undefined
  const [flag] = await findFlags(db, environment_id, [flag_key])
  return flag
}
