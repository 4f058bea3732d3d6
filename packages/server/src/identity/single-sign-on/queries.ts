import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'
import { changeUserIf } from '../../structure/users/index.ts'
import { type Account, accounts } from '../accounts/index.ts'

/** The provider's name for a person. */
export interface Subject {
  readonly issuer: string
  readonly subject: string
}

/** Returns the account that is linked with the person; undefined when there is none. */
export async function findLinkedAccount(
  db: Kysely<Database>,
  { issuer, subject }: Subject,
): Promise<Account | undefined> {
  return accounts(db)
    .innerJoin('identities as i', 'i.user_id', 'u.id')
    .where('i.issuer', '=', issuer)
    .where('i.subject', '=', subject)
    .executeTakeFirst()
}

/** Returns whether the account is linked with a person of the provider, or of any when null is given. */
export async function isLinked(
  db: Kysely<Database>,
  user_id: number,
  issuer: string | null,
): Promise<boolean> {
  let found = db.selectFrom('identities').select('id').where('user_id', '=', user_id)
  if (issuer !== null) found = found.where('issuer', '=', issuer)
  return (await found.executeTakeFirst()) !== undefined
}

/** Returns the link of an account, if it has one, and whether it has a password. */
export async function findOwnIdentity(
  db: Kysely<Database>,
  user_id: number,
): Promise<{ email: string | null; linked_at: string | null; has_password: boolean }> {
  return db
    .selectFrom('users as u')
    .leftJoin('identities as i', 'i.user_id', 'u.id')
    .select(['i.email', 'i.created_at as linked_at'])
    .select(sql<boolean>`u.password_hash is not null`.as('has_password'))
    .where('u.id', '=', user_id)
    .orderBy('i.last_login_at', (order) => order.desc().nullsLast())
    .limit(1)
    .executeTakeFirstOrThrow()
}

/** Ends every link of an account, and with it a role that groups may not raise. Returns what they were. */
export async function deleteIdentity(
  tx: Transaction<Database>,
  user_id: number,
): Promise<readonly (Subject & { readonly email: string })[]> {
  await changeUserIf(tx, user_id, { role_source: 'manual' }, { role_source: 'pinned' })
  return tx
    .deleteFrom('identities')
    .where('user_id', '=', user_id)
    .returning(['issuer', 'subject', 'email'])
    .execute()
}

interface NewIdentity extends Subject {
  readonly user_id: number
  readonly email: string
  readonly groups: readonly string[]
  readonly now: string
}

/** Violates `identities_subject_key` or `identities_user_key` when one of the two is linked already. */
export async function insertIdentity(
  tx: Transaction<Database>,
  { email, groups, issuer, now, subject, user_id }: NewIdentity,
): Promise<void> {
  const times = { created_at: now, last_login_at: now }
  await tx
    .insertInto('identities')
    .values({ user_id, issuer, subject, email, groups: [...groups], ...times })
    .execute()
}

/**
 * Stores what the provider stated at a login. False when the person is not linked with the account any more.
 */
export async function updateIdentity(
  tx: Transaction<Database>,
  { email, groups, issuer, now, subject, user_id }: Omit<NewIdentity, 'email'> & { email: string | null },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('identities')
    .set({ groups: [...groups], last_login_at: now, ...(email !== null && { email }) })
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .where('user_id', '=', user_id)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Lets an account use its password until a time, in place of an earlier one. */
export async function putPasswordException(
  tx: Transaction<Database>,
  { allowed_until, user_id }: { readonly user_id: number; readonly allowed_until: string },
): Promise<void> {
  await tx
    .insertInto('password_exceptions')
    .values({ user_id, allowed_until })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ allowed_until }))
    .execute()
}

export async function readDatabaseTime(tx: Transaction<Database>): Promise<Date> {
  const { rows } = await sql<{ now: string }>`select now() as now`.execute(tx)
  return new Date(rows[0]?.now ?? Number.NaN)
}
