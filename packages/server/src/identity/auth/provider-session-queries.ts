import type { Insertable, Transaction } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'

/** Stores the session at the provider that is behind a session here, in place of an earlier one. */
export async function keepProviderSession(
  tx: Transaction<Database>,
  row: Insertable<Database['provider_sessions']>,
): Promise<void> {
  const { session_id: _, ...set } = row
  await tx
    .insertInto('provider_sessions')
    .values(row)
    .onConflict((conflict) => conflict.column('session_id').doUpdateSet(set))
    .execute()
}

/** Leaves the session at an identity provider to the session that replaces another one. */
export async function moveProviderSession(
  tx: Transaction<Database>,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  await tx.updateTable('provider_sessions').set({ session_id: to }).where('session_id', '=', from).execute()
}

interface EndedSessions {
  readonly issuer: string
  /** Null for every person of the session. */
  readonly subject: string | null
  /** Null for every session of the person. */
  readonly sid: string | null
}

/** Ends the sessions here that began with a session at the provider. Returns their ids. */
export async function endProviderSessions(
  tx: Transaction<Database>,
  { issuer, sid, subject }: EndedSessions,
): Promise<readonly string[]> {
  let sessions = tx.selectFrom('provider_sessions').select('session_id').where('issuer', '=', issuer)
  if (subject !== null) sessions = sessions.where('subject', '=', subject)
  if (sid !== null) sessions = sessions.where('sid', '=', sid)
  const rows = await tx.deleteFrom('sessions').where('id', 'in', sessions).returning('id').execute()
  return rows.map(({ id }) => id)
}
