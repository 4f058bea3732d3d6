import type { Transaction } from 'kysely'
import { renameRequester } from '../governance/change-requests/index.ts'
import { renamePlanner } from '../governance/scheduled-changes/index.ts'
import type { Database } from '../platform/db/tables.ts'

/**
 * Gives the pending scheduled changes and change requests of a user their new name. What was executed or
 * decided keeps the name of its time.
 */
export async function renameAuthor(
  tx: Transaction<Database>,
  { id, ...names }: { readonly id: number; readonly before: string; readonly after: string },
): Promise<void> {
  await renamePlanner(tx, names)
  await renameRequester(tx, id, names.after)
}
