import { type Kysely, sql } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'

interface Account {
  readonly id: number
  readonly email: string
}

/** Returns the people with these e-mails, ignoring case, or ids. */
export async function findAccounts(
  db: Kysely<Database>,
  { emails, ids }: { readonly emails: readonly string[]; readonly ids: readonly number[] },
): Promise<Account[]> {
  if (emails.length === 0 && ids.length === 0) return []
  return db
    .selectFrom('users')
    .select(['id', 'email'])
    .where('kind', '=', 'person')
    .where(
      sql<boolean>`(id = any(${[...ids]}::int[])
        or lower(email) in (select lower(wanted) from unnest(${[...emails]}::text[]) as wanted))`,
    )
    .execute()
}
