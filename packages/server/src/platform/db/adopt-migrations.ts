import { sql, type Transaction } from 'kysely'
import {
  type AdoptedMigrations,
  describeMissing,
  findDifference,
  hasOldNames,
  readAdoptedMigrations,
  renameMigrations,
} from './adopted-migrations.ts'
import { describeSchema } from './describe-schema.ts'
import { MigrationError } from './migration-error.ts'
import { listMigrations, MIGRATIONS_TABLE, refuseNewerDatabase } from './stored-migrations.ts'
import type { Database } from './tables.ts'

/**
 * Adopts a database whose migrations have the names of before: those of one commit became fewer files that
 * make the same schema, and later ones got new numbers. It compares the schema with the one that they make
 * and replaces their names, without a lock on a table. Servers of before go on, because they read the names
 * at their start only.
 *
 * Returns the commit and the number of names that it replaced, or null when there are none. Throws
 * `MigrationError` for a database that lacks one of them, whose schema is different, or that has a migration
 * which is not in `known`, the names of this version.
 */
export async function adoptMigrations(
  tx: Transaction<Database>,
  known: readonly string[],
): Promise<{ readonly commit: string; readonly migrations: number } | null> {
  const present = await listMigrations(tx)
  if (present.every((name) => known.includes(name))) return null
  const adopted = await readAdoptedMigrations()
  if (!hasOldNames(adopted, present)) return null
  const missing = describeMissing(adopted, present)
  if (missing !== null)
    throw new MigrationError(`the database has ${missing}: start that commit on it once, then this version`)
  refuseNewerDatabase(renameMigrations(adopted, present), known)
  const difference = findDifference(adopted, present, await describeSchema(tx))
  if (difference !== null)
    throw new MigrationError(`${difference}: undo that change, or restore a backup from before it`)
  await replaceNames(tx, adopted)
  return { commit: adopted.commit, migrations: present.length }
}

/** Keeps the order of the times, in which the library expects the names. */
async function replaceNames(
  tx: Transaction<Database>,
  { names: { after, before, renamed } }: AdoptedMigrations,
): Promise<void> {
  const table = sql.table(MIGRATIONS_TABLE)
  await sql`
    with replaced as (delete from ${table} where name = any(${[...before]}::text[]) returning timestamp)
    insert into ${table} (name, timestamp)
    select name, (select max(timestamp) from replaced) from unnest(${[...after]}::text[]) as name`.execute(tx)
  await sql`
    update ${table} set name = new_name
    from unnest(${Object.keys(renamed)}::text[], ${Object.values(renamed)}::text[]) as names (old_name, new_name)
    where name = old_name`.execute(tx)
}
