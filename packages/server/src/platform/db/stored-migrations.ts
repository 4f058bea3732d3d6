import { type Kysely, sql } from 'kysely'
import { MigrationError } from './migration-error.ts'
import type { Database } from './tables.ts'

/** The table of the library of migrations: the names of those that the database has. */
export const MIGRATIONS_TABLE = 'kysely_migration'

/** Returns the names of the migrations that a database has; none when it is empty. */
export async function listMigrations(db: Kysely<Database>): Promise<string[]> {
  const { rows: tables } = await sql<{ found: boolean }>`
    select to_regclass(${MIGRATIONS_TABLE}) is not null as found`.execute(db)
  if (tables[0]?.found !== true) return []
  const { rows } = await sql<{
    name: string
  }>`select name from ${sql.table(MIGRATIONS_TABLE)} order by name`.execute(db)
  return rows.map(({ name }) => name)
}

/** Refuses a newer database: an older build would write rows that the newer schema does not expect. */
export function refuseNewerDatabase(present: readonly string[], known: readonly string[]): void {
  const unknown = present.filter((name) => !known.includes(name))
  if (unknown.length === 0) return
  throw new MigrationError(
    `the database was migrated by a newer version of Burgee (${unknown.join(', ')}): start that version, or restore a backup`,
  )
}
