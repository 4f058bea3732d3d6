import type { Kysely } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'
import type { GroupedWrites } from '../ingest/grouped-writes.ts'
import { storeUnknownFlags } from './queries.ts'
import { addUpUnknownFlags, type UnknownFlagBatch } from './unknown-flag-batch.ts'

/** Stores the unknown flags of an environment that one source reports. */
export type StoreUnknownFlags = (environment_id: string, batch: UnknownFlagBatch) => Promise<void>

/** Creates the function that stores unknown flags. All sources share its transactions. */
export function createUnknownFlagStore({
  db,
  groups,
}: {
  readonly db: Kysely<Database>
  readonly groups: GroupedWrites
}): StoreUnknownFlags {
  return groups.kind<UnknownFlagBatch>('unknown_flags', (environment_id, batches) =>
    storeUnknownFlags(db, environment_id, addUpUnknownFlags(batches)),
  )
}
