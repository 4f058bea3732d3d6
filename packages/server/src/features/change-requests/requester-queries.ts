import type { Transaction } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'

/** Gives the pending requests of a user their new name. */
export async function renameRequester(
  tx: Transaction<Database>,
  user_id: number,
  name: string,
): Promise<void> {
  await tx
    .updateTable('change_requests')
    .set({ requested_by: name })
    .where('requester', '=', `user:${user_id}`)
    .where('status', '=', 'pending')
    .execute()
}
