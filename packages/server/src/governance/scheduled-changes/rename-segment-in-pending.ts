import type { Transaction } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'
import { renameSegmentInStored, type SegmentRename } from '../../targeting/rules/index.ts'
import { listPendingNaming, updatePatch } from './segment-queries.ts'

/**
 * Writes a segment's new key into rules of pending changes, as into those of flags
 * (docs/reference/flags.md#segments).
 */
export async function renameSegmentInPending(
  tx: Transaction<Database>,
  environment_id: string,
  rename: SegmentRename,
): Promise<void> {
  for (const { id, patch } of await listPendingNaming(tx, environment_id, rename.from)) {
    const renamed = renameSegmentInStored(patch, rename)
    if (renamed !== patch) await updatePatch(tx, id, renamed)
  }
}
