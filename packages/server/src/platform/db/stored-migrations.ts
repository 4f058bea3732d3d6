import { type Kysely, sql, type Transaction } from 'kysely'
import { MigrationError } from './migration-error.ts'
import type { Database } from './tables.ts'

/** The names of the migrations that the database has. The table is that of Kysely's migrator. */
export const MIGRATIONS_TABLE = 'kysely_migration'

/** Creates the tables of Kysely's migrator where they are missing: servers of before read them. */
export async function createMigrationTables(tx: Transaction<Database>): Promise<void> {
  await sql`
    create table if not exists ${sql.table(MIGRATIONS_TABLE)}
      (name varchar(255) not null primary key, timestamp varchar(255) not null)`.execute(tx)
  await sql`
    create table if not exists kysely_migration_lock
      (id varchar(255) not null primary key, is_locked integer not null default 0)`.execute(tx)
  await sql`
    insert into kysely_migration_lock (id, is_locked) values ('migration_lock', 0)
    on conflict do nothing`.execute(tx)
}

export async function storeMigration(tx: Transaction<Database>, name: string): Promise<void> {
  const timestamp = new Date().toISOString()
  await sql`
    insert into ${sql.table(MIGRATIONS_TABLE)} (name, timestamp) values (${name}, ${timestamp})`.execute(tx)
}

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
