import type { Transaction } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'
import { renameSegmentInStored, type SegmentRename } from '../flags/index.ts'
import { listPendingNaming, updateAsked } from './queries.ts'

/**
 * Writes a segment's new key into rules that wait for approval, as into those of flags
 * (docs/reference/flags.md#segments).
 */
export async function renameSegmentInRequests(
  tx: Transaction<Database>,
  environment_id: string,
  rename: SegmentRename,
): Promise<void> {
  for (const { id, ...asked } of await listPendingNaming(tx, environment_id, rename.from)) {
    await updateAsked(tx, id, {
      patch: renameSegmentInStored(asked.patch, rename),
      body: renameSegmentInStored(asked.body, rename),
      base_flag: renameSegmentInStored({ ...asked.base_flag }, rename),
    })
  }
}
