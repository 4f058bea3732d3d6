import type { Kysely } from 'kysely'
import { readCursor } from '../../kernel/list-cursor.ts'
import { listLimit } from '../../kernel/paging.ts'
import type { Database } from '../../platform/db/tables.ts'
import type { EncodedReply } from '../../platform/endpoint-handler.ts'
import { type ListDeps, replyWithList } from '../../platform/reply-with-list.ts'
import { shareTurn } from '../../platform/turns.ts'
import { findCreationTimes, findFlags } from '../flags/index.ts'
import { previewChange } from './preview-change.ts'
import { type ChangeRequestFilter, changeRequestList, type StoredChangeRequest } from './queries.ts'
import { toChangeRequest } from './to-change-request.ts'

interface ListInput extends ChangeRequestFilter {
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
  /** The time, ISO 8601 in UTC. */
  readonly now: string
}

const NAME = 'change_requests'

/**
 * Lists the requests of an environment, newest first; pending ones with a preview against the current flags.
 */
export async function listChangeRequests(
  deps: ListDeps,
  { cursor, limit, now, ...filter }: ListInput,
): Promise<EncodedReply> {
  const [beforeId = null] = readCursor(NAME, ['id'], cursor) ?? []
  return replyWithList(deps, {
    name: NAME,
    query: changeRequestList(filter, beforeId === null ? null : Number(beforeId)),
    limit: listLimit(limit),
    convert: (items) => convertRequests(deps.db, filter.environment_id, now, items),
  })
}

async function convertRequests(
  db: Kysely<Database>,
  environment_id: string,
  now: string,
  items: readonly string[],
): Promise<string[]> {
  const requests = items.map((item): StoredChangeRequest => JSON.parse(item))
  const pending = requests.filter(({ status }) => status === 'pending')
  const findFlag = await readFlags(db, environment_id, [...new Set(pending.map(({ flag_key }) => flag_key))])
  const texts: string[] = []
  for (const stored of requests) {
    await shareTurn()
    const preview = stored.status === 'pending' ? await previewChange(stored, findFlag(stored), now) : null
    texts.push(JSON.stringify(toChangeRequest(stored, preview)))
  }
  return texts
}

/**
 * Returns a function that finds the flag of a request among those with the given keys. One that was created
 * later under the same key is a different flag.
 */
async function readFlags(db: Kysely<Database>, environment_id: string, keys: readonly string[]) {
  const creationTimes = await findCreationTimes(db, environment_id, keys)
  const flags = new Map((await findFlags(db, environment_id, keys)).map((flag) => [flag.key, flag]))
  return ({ created_at, flag_key }: Pick<StoredChangeRequest, 'created_at' | 'flag_key'>) =>
    (creationTimes.get(flag_key) ?? '') > created_at ? undefined : flags.get(flag_key)
}
