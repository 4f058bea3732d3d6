import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Kysely, type Migration, Migrator, sql, type Transaction } from 'kysely'
import { packageFile } from '../package-file.ts'
import { adoptMigrations } from './adopt-migrations.ts'
import { ADVISORY_LOCKS } from './advisory-locks.ts'
import { isDatabaseUnavailable } from './database-unavailable.ts'
import { MigrationError } from './migration-error.ts'
import { holdAlone, type LockDeps, LocksLate, LocksNotFree, lockTables, retryLocks } from './short-locks.ts'
import { listMigrations, MIGRATIONS_TABLE, refuseNewerDatabase } from './stored-migrations.ts'
import type { Database } from './tables.ts'

const MIGRATIONS_DIR = packageFile('migrations')

/** A numbered SQL file. */
interface MigrationFile {
  readonly text: string
  /** The tables that its first line names. */
  readonly locks: readonly string[]
}

type MigrationFiles = Readonly<Record<string, MigrationFile>>

/**
 * Runs the numbered SQL files that the database lacks, in order, in one transaction, which first locks the
 * tables that they name. Other instances may serve requests meanwhile: while a table is not free, the
 * transaction gives up and lets them go on. Any number of instances may migrate at once: one works while the
 * others wait and then find nothing to do.
 *
 * Throws `MigrationError` when a file fails, when the locks are not free for 5 minutes, or when the database
 * has a migration of a newer server, or migrations of before that cannot be adopted. An error that heals by
 * itself, such as a lost connection, is thrown as it is.
 */
export async function migrate(
  deps: LockDeps & { readonly db: Kysely<Database> },
  input: { folder: string } = { folder: MIGRATIONS_DIR },
): Promise<void> {
  const known = await listFiles(input.folder)
  const present = await listOwnMigrations(deps, known)
  refuseNewerDatabase(present, known)
  // The files are read only when the database lacks one.
  if (known.every((name) => present.includes(name))) return
  const files = await readMigrations(input.folder, known)
  await holdAlone(deps.db, ADVISORY_LOCKS.migrate, deps, WORK, async (connection) => {
    refuseNewerDatabase(await listMigrations(connection), known)
    const names = await retryLocks(deps, WORK, () => runPending(connection, files)).catch(asMigrationError)
    if (names.length > 0) deps.log.info({ migrations: names }, 'migrated the database')
  })
}

const WORK = 'the migration of the database'

/** Returns the names of the migrations that the database has, after those of before were adopted. */
async function listOwnMigrations(
  deps: LockDeps & { readonly db: Kysely<Database> },
  known: readonly string[],
): Promise<string[]> {
  const present = await listMigrations(deps.db)
  if (present.every((name) => known.includes(name))) return present
  await adoptMigrations(deps, known).catch(asMigrationError)
  return listMigrations(deps.db)
}

/** Runs the pending files. Returns their names. */
async function runPending(db: Kysely<Database>, files: MigrationFiles): Promise<readonly string[]> {
  const pending = await findPending(db, files)
  const locks = pending.flatMap((name) => files[name]?.locks ?? [])
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => toMigrations(files, locks) },
    migrationTableName: MIGRATIONS_TABLE,
  })
  const { error, results = [] } = await migrator.migrateToLatest()
  if (error === undefined) return results.map(({ migrationName }) => migrationName)
  // Those that heal are tried again.
  if (isDatabaseUnavailable(error) || error instanceof LocksLate) throw error
  const failed = results.find(({ status }) => status === 'Error')
  const what =
    failed === undefined ? 'the database could not be migrated' : `migration ${failed.migrationName} failed`
  throw new MigrationError(`${what}: ${reasonOf(error)}`, error)
}

/** Takes all locks in the transaction of the files, before the first of them runs. */
function toMigrations(files: MigrationFiles, locks: readonly string[]): Record<string, Migration> {
  let isLocked = false
  const entries = Object.entries(files).map(([name, { text }]): [string, Migration] => {
    const up = async (tx: Transaction<Database>) => {
      if (!isLocked) await lockTables(tx, locks)
      isLocked = true
      await sql.raw(text).execute(tx)
    }
    // Kysely does not know the tables, and runs the files in a transaction.
    return [name, { up: (db) => up(db as Transaction<Database>) }]
  })
  return Object.fromEntries(entries)
}

function asMigrationError(error: unknown): never {
  throw error instanceof LocksNotFree ? new MigrationError(error.message, error) : error
}

/** Returns the names of the files, in order. */
async function listFiles(folder: string): Promise<string[]> {
  const files = (await readdir(folder)).filter((file) => /^\d{4}-[a-z0-9-]+\.sql$/.test(file)).sort()
  return files.map((file) => file.replace(/\.sql$/, ''))
}

async function readMigrations(folder: string, names: readonly string[]): Promise<MigrationFiles> {
  const entries = names.map(async (name): Promise<[string, MigrationFile]> => {
    const file = `${name}.sql`
    const text = await readFile(join(folder, file), 'utf8')
    return [name, { text, locks: readLocks(file, text) }]
  })
  return Object.fromEntries(await Promise.all(entries))
}

/** The first line of a file: the tables that it alters, indexes or references, separated by commas. */
const LOCKS_LINE = /^-- locks:((?: [a-z_0-9]+(?:, [a-z_0-9]+)*)?)\n/

function readLocks(file: string, text: string): readonly string[] {
  const [, list] = LOCKS_LINE.exec(text) ?? []
  if (list === undefined)
    throw new MigrationError(`the migration ${file} does not name its tables: begin it with "-- locks: ..."`)
  return list.trim() === '' ? [] : list.trim().split(', ')
}

/** Returns the names of the files that the database lacks, in order. */
async function findPending(db: Kysely<Database>, files: MigrationFiles): Promise<string[]> {
  const present = new Set(await listMigrations(db))
  return Object.keys(files).filter((name) => !present.has(name))
}

/** Returns the names of the migrations of this build. */
export const listKnownMigrations = (): Promise<string[]> => listFiles(MIGRATIONS_DIR)

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
