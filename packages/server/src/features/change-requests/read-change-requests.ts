import type { ChangeRequest } from '@burgee/contract'
import type { Kysely } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'
import { findFlags } from '../flags/index.ts'
import { previewChange } from './preview-change.ts'
import { listChangeRequests } from './queries.ts'
import { toChangeRequest } from './to-change-request.ts'

/** Requests of an environment, newest first; the pending ones with a preview against their flags as they are now. */
export async function readChangeRequests(
  db: Kysely<Database>,
  { environment_id, status }: { environment_id: string; status: ChangeRequest['status'] | undefined },
  now: string,
): Promise<ChangeRequest[]> {
  const stored = await listChangeRequests(db, environment_id, status)
  const pending = stored.filter((request) => request.status === 'pending')
  const keys = new Set(pending.map(({ flag_key }) => flag_key))
  const flags = await findFlags(db, environment_id, [...keys])
  const by_key = new Map(flags.map((flag) => [flag.key, flag]))
  return stored.map((request) => {
    const is_pending = request.status === 'pending'
    return toChangeRequest(
      request,
      is_pending ? previewChange(request, by_key.get(request.flag_key), now) : null,
    )
  })
}
