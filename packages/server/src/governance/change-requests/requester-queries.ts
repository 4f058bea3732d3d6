import type { RequestedWith } from '@burgee/contract'
import { sql, type Transaction } from 'kysely'
import type { Actor } from '../../kernel/actor.ts'
import type { Database } from '../../platform/db/tables.ts'

/** The people behind a credential that a request shows. */
const CREATORS_SHOWN = 20

export interface RequesterDeps {
  /** Returns the name of an access token; null when it was revoked. */
  readonly findTokenName: (tx: Transaction<Database>, id: number) => Promise<string | null>
}

/** Returns the credential of an actor who asks for a change, and who created it. */
export async function findRequestedWith(
  { findTokenName }: RequesterDeps,
  tx: Transaction<Database>,
  actor: Actor,
): Promise<RequestedWith> {
  if (actor.kind === 'sdk_key') {
    const created_by = actor.createdBy === null ? [] : await findPeople(tx, actor.createdBy, 'with_account')
    return { kind: 'sdk_key', name: actor.name, created_by }
  }
  const { credential, isServiceAccount, user_id } = actor
  if (credential.kind === 'session') return { kind: 'session', name: null, created_by: [] }
  const name = await findTokenName(tx, credential.token_id)
  const created_by = await findPeople(tx, user_id, isServiceAccount ? 'makers' : 'with_account')
  return { kind: 'access_token', name, created_by }
}

/** Returns the names of an account and of those who made it, where it is a service account. */
async function findPeople(
  tx: Transaction<Database>,
  id: number,
  wanted: 'makers' | 'with_account',
): Promise<string[]> {
  const { rows } = await sql<{ email: string }>`
    select email from users
    where (id = ${id}::int and ${wanted === 'with_account'}::boolean)
      or id = any(coalesce((select maker_ids from users where id = ${id}::int),
        (select maker_ids from former_service_accounts where id = ${id}::int)))
    order by id = ${id}::int desc, id limit ${CREATORS_SHOWN}::int
  `.execute(tx)
  return rows.map(({ email }) => email)
}

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
