import type { ServiceAccount } from '@burgee/contract'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'
import { insertUser } from '../../structure/users/index.ts'
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
  const { created_at, disabled_at, email, id } = await insertUser(tx, {
    ...{ name, email: actorOf(name), role: 'viewer', password_hash: null, now },
    ...{ kind: 'service_account', maker_ids: [makerId] },
  })
  return { id, name, actor: email, created_at, disabled_at, memberships: [] }
}
