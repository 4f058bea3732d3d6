import type { Kysely } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'

/** Records that the callback of a login has arrived. False when it arrived before, on any instance. */
export async function useLoginState(
  db: Kysely<Database>,
  row: { readonly state_hash: string; readonly expires_at: string },
): Promise<boolean> {
  const inserted = await db
    .insertInto('used_login_states')
    .values(row)
    .onConflict((conflict) => conflict.column('state_hash').doNothing())
    .returning('state_hash')
    .executeTakeFirst()
  return inserted !== undefined
}
