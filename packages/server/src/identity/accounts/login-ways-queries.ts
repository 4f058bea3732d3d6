import type { User as ShownUser } from '@burgee/contract'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'

/** The ways in which a user can sign in. */
export type LoginWays = Pick<ShownUser, 'has_password' | 'is_linked' | 'second_factors'>

/** Returns the ways of each of these users to sign in, by their ids. */
export async function findLoginWays(
  db: Kysely<Database>,
  userIds: readonly number[],
): Promise<Map<number, LoginWays>> {
  const { rows } = await sql<LoginWays & { readonly id: number }>`
    select u.id,
      u.password_hash is not null as has_password,
      exists (select from identities i where i.user_id = u.id) as is_linked,
      array_remove(array[
        case when exists (
          select from totp_secrets t where t.user_id = u.id and t.confirmed_at is not null
        ) then 'totp' end,
        case when exists (select from passkeys p where p.user_id = u.id) then 'passkey' end
      ], null) as second_factors
    from users u
    where u.id = any(${[...userIds]}::int[])
  `.execute(db)
  return new Map(rows.map(({ id, ...ways }) => [id, ways]))
}
