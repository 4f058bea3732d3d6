import type { Transaction } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'
import { renameSegmentInStored, type SegmentRename } from '../../targeting/rules/index.ts'
import { listPendingNaming, updateProposal } from './queries.ts'

/**
 * Writes a segment's new key into rules that wait for approval, as into those of flags
 * (docs/reference/flags.md#segments).
 */
export async function renameSegmentInRequests(
  tx: Transaction<Database>,
  environment_id: string,
  rename: SegmentRename,
): Promise<void> {
  for (const { id, ...proposal } of await listPendingNaming(tx, environment_id, rename.from)) {
    await updateProposal(tx, id, {
      patch: renameSegmentInStored(proposal.patch, rename),
      body: renameSegmentInStored(proposal.body, rename),
      base_flag: proposal.base_flag && renameSegmentInStored({ ...proposal.base_flag }, rename),
    })
  }
}
