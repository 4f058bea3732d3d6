import type { Kysely } from 'kysely'
import type { WireFlag } from '../../kernel/wire-flag.ts'
import type { Database } from '../../platform/db/tables.ts'
import { findRevision, listFlags, readSegmentRules } from './queries.ts'
import { toWireFlag } from './to-wire-flag.ts'

/** What an environment's SDKs see at one revision, read in one database snapshot; null when it does not exist. */
export async function loadWireFlags(
  db: Kysely<Database>,
  environment_id: string,
): Promise<{ environment_id: string; project_id: string; revision: number; flags: WireFlag[] } | null> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      const environment = await findRevision(tx, environment_id)
      if (!environment) return null
      const segments = await readSegmentRules(tx, environment_id)
      const flags = await listFlags(tx, environment_id)
      const active = flags.filter((flag) => flag.archived_at === null)
      return { environment_id, ...environment, flags: active.map((flag) => toWireFlag(flag, segments)) }
    })
}
