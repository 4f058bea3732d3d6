import { type Kysely, sql, type Transaction } from 'kysely'
import {
  type AdoptedMigrations,
  describeMissing,
  findDifference,
  hasOldNames,
  readAdoptedMigrations,
  renameMigrations,
} from './adopted-migrations.ts'
import { ADVISORY_LOCKS } from './advisory-locks.ts'
import { describeSchema } from './describe-schema.ts'
import { MigrationError } from './migration-error.ts'
import { type LockDeps, limitLockWaits, retryLocks } from './short-locks.ts'
import { listMigrations, MIGRATIONS_TABLE, refuseNewerDatabase } from './stored-migrations.ts'
import type { Database } from './tables.ts'

const WORK = 'the adoption of the migrations of before'

/**
 * Adopts a database whose migrations have the names of before: those of one commit became fewer files that
 * make the same schema, and later ones got new numbers. It compares the schema with the one that they make
 * and replaces their names, in one transaction that locks no table. Servers of before go on, because they
 * read the names at their start only.
 *
 * Throws `MigrationError`, with nothing written, for a database that lacks one of them, whose schema is
 * different, or that has a migration which is not in `known`, the names of this version.
 */
export async function adoptMigrations(
  deps: LockDeps & { readonly db: Kysely<Database> },
  known: readonly string[],
): Promise<void> {
  const adopted = await readAdoptedMigrations()
  if (!hasOldNames(adopted, await listMigrations(deps.db))) return
  const count = await retryLocks(deps, WORK, () =>
    deps.db.transaction().execute((tx) => adopt(tx, adopted, known)),
  )
  if (count > 0) deps.log.info({ commit: adopted.commit, migrations: count }, 'adopted the database')
}

/** Returns the number of the names that it replaced. */
async function adopt(
  tx: Transaction<Database>,
  adopted: AdoptedMigrations,
  known: readonly string[],
): Promise<number> {
  await limitLockWaits(tx)
  await sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS.migrationLibrary}::bigint)`.execute(tx)
  const present = await listMigrations(tx)
  // Another instance has adopted it.
  if (!hasOldNames(adopted, present)) return 0
  const missing = describeMissing(adopted, present)
  if (missing !== null)
    throw new MigrationError(`the database has ${missing}: start that commit on it once, then this version`)
  refuseNewerDatabase(renameMigrations(adopted, present), known)
  const difference = findDifference(adopted, present, await describeSchema(tx))
  if (difference !== null)
    throw new MigrationError(`${difference}: undo that change, or restore a backup from before it`)
  await replaceNames(tx, adopted)
  return present.length
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
