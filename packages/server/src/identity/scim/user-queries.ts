import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database, StoredProfile } from '../../platform/db/tables.ts'
import type { Condition } from './parse-filter.ts'
import type { UserDraft } from './user-draft.ts'

/** An account that SCIM manages. */
export interface ManagedUser {
  readonly id: number
  readonly user_name: string
  readonly external_id: string | null
  readonly profile: StoredProfile
  readonly name: string
  readonly email: string
  /** The time at which the account was disabled, by SCIM or a person; null while it is not. */
  readonly disabled_at: string | null
  /** The time at which SCIM disabled it. */
  readonly scim_disabled_at: string | null
  readonly created_at: string
  readonly updated_at: string
}

const managed = (db: Kysely<Database>) =>
  db
    .selectFrom('scim_users as s')
    .innerJoin('users as u', 'u.id', 's.user_id')
    .select(['u.id', 's.user_name', 's.external_id', 's.profile', 'u.name', 'u.email', 'u.disabled_at'])
    .select(['s.disabled_at as scim_disabled_at', 's.created_at', 's.updated_at'])
    .where('s.deleted_at', 'is', null)

export async function findManaged(db: Kysely<Database>, id: number): Promise<ManagedUser | undefined> {
  return managed(db).where('u.id', '=', id).executeTakeFirst()
}

/** Returns the value of each attribute that a filter of users can compare, in lower case. */
const comparisonOf = ({ attribute, value }: Condition) => {
  const text = String(value)
  switch (attribute) {
    case 'id':
      return sql<boolean>`u.id::text = ${text}`
    case 'username':
      return sql<boolean>`lower(s.user_name) = lower(${text})`
    case 'externalid':
      return sql<boolean>`s.external_id = ${text}`
    case 'displayname':
      return sql<boolean>`lower(u.name) = lower(${text})`
    case 'emails':
    case 'emails.value':
      return sql<boolean>`lower(u.email) = lower(${text})`
    case 'active':
      return sql<boolean>`(u.disabled_at is null)::text = lower(${text})`
    default:
      return null
  }
}

/** Returns whether a filter of users can compare the attribute. */
export const isUserAttribute = (condition: Condition): boolean => comparisonOf(condition) !== null

interface Page {
  readonly offset: number
  readonly limit: number
}

/** Returns a page of the accounts that meet all conditions, and the number of all of them. */
export async function listManaged(
  db: Kysely<Database>,
  conditions: readonly Condition[],
  { limit, offset }: Page,
): Promise<{ readonly total: number; readonly users: readonly ManagedUser[] }> {
  let found = managed(db)
  for (const condition of conditions) {
    const comparison = comparisonOf(condition)
    if (comparison) found = found.where(comparison)
  }
  const { total } = await found
    .clearSelect()
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  if (limit === 0) return { total: Number(total), users: [] }
  const users = await found.orderBy('u.id').offset(offset).limit(limit).execute()
  return { total: Number(total), users }
}

/** An account that SCIM does not manage, whose e-mail address a new person has. */
export interface FoundAccount {
  readonly id: number
  readonly email: string
  readonly role: string
  readonly disabled_at: string | null
  /** True when the person can sign in without the identity provider. */
  readonly has_credential: boolean
  /** The account as SCIM has left it; null when SCIM never managed it. */
  readonly deleted: { readonly external_id: string | null } | null
}

/** Finds the account of a person by its e-mail address, ignoring case, unless SCIM manages it. */
export async function findAccountToAdopt(
  db: Kysely<Database>,
  email: string,
): Promise<FoundAccount | undefined> {
  const { rows } = await sql<FoundAccount>`
    select u.id, u.email, u.role, u.disabled_at,
      (u.password_hash is not null or exists (select from passkeys p where p.user_id = u.id)) as has_credential,
      case when s.user_id is not null then json_build_object('external_id', s.external_id) end as deleted
    from users u left join scim_users s on s.user_id = u.id
    where lower(u.email) = lower(${email}) and u.kind = 'person' and (s.user_id is null or s.deleted_at is not null)
  `.execute(db)
  return rows[0]
}

export async function countManaged(db: Kysely<Database>): Promise<number> {
  const { count } = await db
    .selectFrom('scim_users')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

interface StoredDraft {
  readonly user_id: number
  readonly draft: UserDraft
  /** The time at which SCIM disabled the account; null when it did not. */
  readonly disabled_at: string | null
  readonly now: string
}

/**
 * Stores an account that SCIM manages from now on. Violates `scim_users_user_name_key` or
 * `scim_users_external_id_key` when another account has the name or the id.
 */
export async function insertManaged(
  tx: Transaction<Database>,
  { disabled_at, draft, now, user_id }: StoredDraft,
): Promise<void> {
  const row = { ...rowOf(draft), disabled_at, updated_at: now, created_at: now, deleted_at: null }
  await tx
    .insertInto('scim_users')
    .values({ ...row, user_id })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(row))
    .execute()
}

/** Violates the same indexes as `insertManaged`. */
export async function updateManaged(
  tx: Transaction<Database>,
  { disabled_at, draft, now, user_id }: StoredDraft,
): Promise<void> {
  await tx
    .updateTable('scim_users')
    .set({ ...rowOf(draft), disabled_at, updated_at: now })
    .where('user_id', '=', user_id)
    .execute()
}

const rowOf = ({ externalId, profile, userName }: UserDraft) => ({
  user_name: userName,
  external_id: externalId,
  profile: JSON.stringify(profile),
})

/** Ends the management of an account: SCIM does not see it any more, and it is in no group. */
export async function markDeleted(
  tx: Transaction<Database>,
  { disabled_at, now, user_id }: Pick<StoredDraft, 'disabled_at' | 'now' | 'user_id'>,
): Promise<void> {
  await tx.deleteFrom('scim_members').where('user_id', '=', user_id).execute()
  await tx
    .updateTable('scim_users')
    .set({ deleted_at: now, disabled_at })
    .where('user_id', '=', user_id)
    .execute()
}

/**
 * Returns whether a person can lose something by a new address: they could sign in, or have what groups did
 * not give. An account that waits for its first login is only what SCIM could create under the new address as
 * well.
 */
export async function hasSomethingToLose(db: Kysely<Database>, user_id: number): Promise<boolean> {
  const { rows } = await sql`select from users u where u.id = ${user_id}::int and (
    u.password_hash is not null
    or exists (select from passkeys p where p.user_id = u.id)
    or exists (select from totp_secrets t where t.user_id = u.id)
    or exists (select from identities i where i.user_id = u.id)
    or exists (select from access_tokens t where t.user_id = u.id)
    or exists (select from project_members m where m.user_id = u.id and m.source = 'manual')
    or exists (select from environment_roles o where o.user_id = u.id)
  )`.execute(db)
  return rows.length > 0
}

/** Returns the time at which SCIM disabled an account, also one that it has deleted. */
export async function findEarlierDisabling(db: Kysely<Database>, user_id: number): Promise<string | null> {
  const row = await db
    .selectFrom('scim_users')
    .select('disabled_at')
    .where('user_id', '=', user_id)
    .executeTakeFirst()
  return row?.disabled_at ?? null
}
