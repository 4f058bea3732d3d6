import type { Kysely, Transaction } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'

/** Returns the session at the provider behind a session here; undefined when there is none. */
export async function findProviderSession(
  db: Kysely<Database>,
  session_id: string,
): Promise<{ readonly id_token: string | null } | undefined> {
  return db
    .selectFrom('provider_sessions')
    .select('id_token')
    .where('session_id', '=', session_id)
    .executeTakeFirst()
}

/** False when the token was used before; a concurrent use is awaited. */
export async function useLogoutToken(
  tx: Transaction<Database>,
  row: { readonly token_hash: string; readonly expires_at: string },
): Promise<boolean> {
  const inserted = await tx
    .insertInto('used_logout_tokens')
    .values(row)
    .onConflict((conflict) => conflict.column('token_hash').doNothing())
    .returning('token_hash')
    .executeTakeFirst()
  return inserted !== undefined
}
