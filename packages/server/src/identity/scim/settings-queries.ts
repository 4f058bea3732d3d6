import { RECEIVED_GROUPS_SHOWN, type ReceivedGroup } from '@burgee/contract'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'

/** The settings and counts as the dashboard shows them. */
export interface StoredSettings {
  readonly token_prefix: string | null
  readonly token_created_at: string | null
  readonly token_created_by: string | null
  readonly adopts_accounts: boolean
  readonly last_request_at: string | null
  readonly users: number
  readonly disabled_users: number
  readonly groups: number
  readonly received_groups: ReceivedGroup[]
}

/** Creates the only row of the settings where it is missing, and locks it until the transaction ends. */
export async function lockSettings(tx: Transaction<Database>): Promise<StoredSettings> {
  await sql`insert into scim_settings default values on conflict do nothing`.execute(tx)
  await sql`select from scim_settings for update`.execute(tx)
  return readSettings(tx)
}

export async function readSettings(db: Kysely<Database>): Promise<StoredSettings> {
  const { rows } = await sql<StoredSettings>`
    select s.token_prefix, s.token_created_at, s.token_created_by, coalesce(s.adopts_accounts, false) as adopts_accounts,
      s.last_request_at,
      (select count(*)::integer from scim_users where deleted_at is null) as users,
      (select count(*)::integer from scim_users p join users u on u.id = p.user_id
        where p.deleted_at is null and u.disabled_at is not null) as disabled_users,
      (select count(*)::integer from scim_groups) as groups,
      (select coalesce(jsonb_agg(shown), '[]') from (
        select g.display_name as name, g.external_id,
          (select count(*)::integer from scim_members m where m.group_id = g.id) as members
        from scim_groups g order by lower(g.display_name) limit ${RECEIVED_GROUPS_SHOWN}
      ) shown) as received_groups
    from (select 1) one left join scim_settings s on true
  `.execute(db)
  const [settings] = rows
  if (!settings) throw new Error('the settings of SCIM have no row')
  return settings
}

interface TokenRow {
  readonly token_hash: string | null
  readonly token_prefix: string | null
  readonly token_created_at: string | null
  readonly token_created_by: string | null
}

/** Stores or removes the token in the locked row. */
export async function updateToken(tx: Transaction<Database>, token: TokenRow): Promise<void> {
  await tx.updateTable('scim_settings').set(token).execute()
}

export async function updateAdoption(tx: Transaction<Database>, adopts_accounts: boolean): Promise<void> {
  await tx.updateTable('scim_settings').set({ adopts_accounts }).execute()
}

/** Returns the hash of the token; null while SCIM is off. */
export async function findTokenHash(db: Kysely<Database>): Promise<string | null> {
  const row = await db.selectFrom('scim_settings').select('token_hash').executeTakeFirst()
  return row?.token_hash ?? null
}

export async function adoptsAccounts(db: Kysely<Database>): Promise<boolean> {
  const row = await db.selectFrom('scim_settings').select('adopts_accounts').executeTakeFirst()
  return row?.adopts_accounts ?? false
}

/** Stores the time of a request, unless one was stored since `staleBefore`. */
export async function storeRequestTime(
  db: Kysely<Database>,
  { now, staleBefore }: { readonly now: string; readonly staleBefore: string },
): Promise<void> {
  await db
    .updateTable('scim_settings')
    .set({ last_request_at: now })
    .where((where) =>
      where.or([where('last_request_at', 'is', null), where('last_request_at', '<', staleBefore)]),
    )
    .execute()
}
