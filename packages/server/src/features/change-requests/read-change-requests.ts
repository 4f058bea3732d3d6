import type { ChangeRequest } from '@burgee/contract'
import type { Kysely } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'
import { findCreationTimes, findFlags } from '../flags/index.ts'
import { previewChange } from './preview-change.ts'
import { type ChangeRequestFilter, listChangeRequests, type StoredChangeRequest } from './queries.ts'
import { toChangeRequest } from './to-change-request.ts'

/** Few: each may hold a megabyte, several times over. */
const BATCH = 20

/** Requests of an environment, newest first; the pending ones with a preview against their flags as they are now. */
export async function* readChangeRequests(
  db: Kysely<Database>,
  filter: ChangeRequestFilter,
  now: string,
): AsyncGenerator<ChangeRequest> {
  let before_id: number | null = null
  for (;;) {
    const stored = await listChangeRequests(db, filter, { before_id, limit: BATCH })
    yield* withPreviews(db, stored, now)
    const last = stored.at(-1)
    if (!last || stored.length < BATCH) return
    before_id = last.id
  }
}

async function* withPreviews(
  db: Kysely<Database>,
  stored: readonly StoredChangeRequest[],
  now: string,
): AsyncGenerator<ChangeRequest> {
  const pending = stored.filter((request) => request.status === 'pending')
  const environment_id = pending[0]?.environment_id ?? ''
  const keys = [...new Set(pending.map(({ flag_key }) => flag_key))]
  const births = await findCreationTimes(db, environment_id, keys)
  const by_key = new Map((await findFlags(db, environment_id, keys)).map((flag) => [flag.key, flag]))
  // One that was created since under the same key is another flag.
  const flagOf = ({ created_at, flag_key }: StoredChangeRequest) =>
    (births.get(flag_key) ?? '') <= created_at ? by_key.get(flag_key) : undefined
  for (const request of stored) {
    const is_pending = request.status === 'pending'
    const preview = is_pending ? await previewChange(request, flagOf(request), now) : null
    yield toChangeRequest(request, preview)
  }
}
