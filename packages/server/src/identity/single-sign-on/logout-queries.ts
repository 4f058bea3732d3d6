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

interface EndedSessions {
  readonly issuer: string
  /** Null for every person of the session. */
  readonly subject: string | null
  /** Null for every session of the person. */
  readonly sid: string | null
}

/** Ends the sessions here that began with a session at the provider. Returns their ids. */
export async function deleteProviderSessions(
  tx: Transaction<Database>,
  { issuer, sid, subject }: EndedSessions,
): Promise<readonly string[]> {
  let sessions = tx.selectFrom('provider_sessions').select('session_id').where('issuer', '=', issuer)
  if (subject !== null) sessions = sessions.where('subject', '=', subject)
  if (sid !== null) sessions = sessions.where('sid', '=', sid)
  const rows = await tx.deleteFrom('sessions').where('id', 'in', sessions).returning('id').execute()
  return rows.map(({ id }) => id)
}

/** Removes logout tokens that have expired. `now` is ISO 8601. */
export async function pruneLogoutTokens(db: Kysely<Database>, now: string): Promise<void> {
  await db.deleteFrom('used_logout_tokens').where('expires_at', '<=', now).execute()
}
