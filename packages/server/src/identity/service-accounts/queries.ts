import type { ServiceAccount } from '@burgee/contract'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'
import { actorOf } from './service-account.ts'

/** The memberships that an account shows. */
const SHOWN_MEMBERSHIPS = 100

const accounts = (db: Kysely<Database>) => db.selectFrom('users as u').where('u.kind', '=', 'service_account')

const shown = (db: Kysely<Database>) =>
  accounts(db).select([
    'u.id',
    'u.name',
    'u.email as actor',
    'u.created_at',
    'u.disabled_at',
    sql<ServiceAccount['memberships']>`(
      select coalesce(json_agg(m), '[]') from (
        select p.id as project_id, p.name as project_name, pm.role
        from project_members pm join projects p on p.id = pm.project_id
        where pm.user_id = u.id
        order by lower(p.name), p.id
        limit ${SHOWN_MEMBERSHIPS}::int
      ) m)`.as('memberships'),
  ])

/** Returns the service accounts, the oldest first. */
export async function listAccounts(db: Kysely<Database>): Promise<ServiceAccount[]> {
  return shown(db).orderBy('u.id').execute()
}

export async function serviceAccountExists(db: Kysely<Database>, id: number): Promise<boolean> {
  const found = await accounts(db).select('u.id').where('u.id', '=', id).executeTakeFirst()
  return found !== undefined
}

/** Returns an account, locked until the transaction ends; undefined when it does not exist. */
export async function lockAccount(
  tx: Transaction<Database>,
  id: number,
): Promise<ServiceAccount | undefined> {
  return shown(tx).where('u.id', '=', id).forNoKeyUpdate('u').executeTakeFirst()
}

/** Violates `users_email_key` when another account has the name, ignoring case. */
export async function insertAccount(
  tx: Transaction<Database>,
  { makerId, name, now }: { readonly name: string; readonly makerId: number; readonly now: string },
): Promise<ServiceAccount> {
  const inserted = await tx
    .insertInto('users')
    .values({
      ...{ name, email: actorOf(name), role: 'viewer', password_hash: null, created_at: now },
      ...{ kind: 'service_account', maker_ids: [makerId] },
    })
    .returning(['id', 'name', 'email as actor', 'created_at', 'disabled_at'])
    .executeTakeFirstOrThrow()
  return { ...inserted, memberships: [] }
}

/** Changes a locked account. Violates `users_email_key` like `insertAccount`. */
export async function updateAccount(
  tx: Transaction<Database>,
  id: number,
  { disabled_at, name }: Pick<ServiceAccount, 'name' | 'disabled_at'>,
): Promise<void> {
  await tx
    .updateTable('users')
    .set({ name, email: actorOf(name), disabled_at })
    .where('id', '=', id)
    .execute()
}

/** Records that a user has created a token of a locked account. False when it was recorded before. */
export async function addMaker(tx: Transaction<Database>, id: number, makerId: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('users')
    .set({ maker_ids: sql<number[]>`maker_ids || ${makerId}::int` })
    .where('id', '=', id)
    .where(sql<boolean>`${makerId}::int <> all(maker_ids)`)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Keeps those who made a locked account, which will be deleted, for the keys that it has created. */
export async function keepMakers(tx: Transaction<Database>, id: number): Promise<void> {
  await tx
    .insertInto('former_service_accounts')
    .columns(['id', 'maker_ids'])
    .expression(tx.selectFrom('users').select(['id', 'maker_ids']).where('id', '=', id))
    .execute()
}
