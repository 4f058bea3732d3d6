import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'

export type LinkPurpose = 'invitation' | 'password_reset'

interface NewLink {
  readonly id: string
  readonly user_id: number
  readonly purpose: LinkPurpose
  /** The SHA-256 of the token in hexadecimal. */
  readonly token_hash: string
  readonly created_at: string
  readonly expires_at: string
}

/**
 * Ends the links of a user: a new password and a disabled account leave none behind. With `keepSentTo`, those
 * that were sent to the address that the user has stay where it is this one.
 */
export async function endLinks(
  tx: Transaction<Database>,
  user_id: number,
  { keepSentTo }: { readonly keepSentTo?: string } = {},
): Promise<void> {
  await tx
    .deleteFrom('one_time_links')
    .where('user_id', '=', user_id)
    .$if(keepSentTo !== undefined, (links) =>
      links.where(
        sql<boolean>`not exists (select from users where id = ${user_id}::int and email = ${keepSentTo})`,
      ),
    )
    .execute()
}

/** Stores a link of a locked user in place of the earlier ones. */
export async function replaceLink(tx: Transaction<Database>, link: NewLink): Promise<void> {
  await endLinks(tx, link.user_id)
  await addLink(tx, link)
}

/** Stores a link of a locked user beside the earlier ones. */
export async function addLink(tx: Transaction<Database>, link: NewLink): Promise<void> {
  await tx.insertInto('one_time_links').values(link).execute()
}

/** Returns the number of a user's links that have not expired. `now` is ISO 8601. */
export async function countLinks(db: Kysely<Database>, user_id: number, now: string): Promise<number> {
  const { count } = await db
    .selectFrom('one_time_links')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', user_id)
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export interface FoundLink {
  readonly id: string
  readonly user_id: number
  readonly email: string
  readonly purpose: LinkPurpose
  readonly expires_at: string
}

/** Finds a link that has not expired, of an enabled user, by the hash of its token. */
export async function findLink(
  db: Kysely<Database>,
  token_hash: string,
  now: string,
): Promise<FoundLink | undefined> {
  return db
    .selectFrom('one_time_links as l')
    .innerJoin('users as u', 'u.id', 'l.user_id')
    .select(['l.id', 'l.user_id', 'u.email', 'l.purpose', 'l.expires_at'])
    .where('l.token_hash', '=', token_hash)
    .where('l.expires_at', '>', now)
    .where('u.disabled_at', 'is', null)
    .executeTakeFirst()
}

/** Uses a link up; false when that has happened already. */
export async function deleteLink(tx: Transaction<Database>, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom('one_time_links').where('id', '=', id).executeTakeFirst()
  return numDeletedRows > 0n
}
