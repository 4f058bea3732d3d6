import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Kysely, sql, type Transaction } from 'kysely'
import { packageFile } from '../package-file.ts'
import { adoptMigrations } from './adopt-migrations.ts'
import { listOldNames, readAdoptedMigrations } from './adopted-migrations.ts'
import { ADVISORY_LOCKS } from './advisory-locks.ts'
import { isDatabaseUnavailable } from './database-unavailable.ts'
import { MigrationError } from './migration-error.ts'
import { holdAlone, type LockDeps, LocksLate, LocksNotFree, lockTables, retryLocks } from './short-locks.ts'
import {
  createMigrationTables,
  listMigrations,
  refuseNewerDatabase,
  storeMigration,
} from './stored-migrations.ts'
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
 * Runs the numbered SQL files that the database lacks, in order, in one transaction, which first adopts
 * migrations of before and locks the tables that the files name. Other instances may serve requests
 * meanwhile: while a table is not free, the transaction gives up and lets them go on. Any number of instances
 * may migrate at once: one works while the others wait and then find nothing to do.
 *
 * Throws `MigrationError`, with nothing written, when a file fails, when the locks are not free for 5
 * minutes, or when the database has a migration of a newer server, or migrations of before that cannot be
 * adopted. An error that heals by itself, such as a lost connection, is thrown as it is.
 */
export async function migrate(
  deps: LockDeps & { readonly db: Kysely<Database> },
  input: { folder: string } = { folder: MIGRATIONS_DIR },
): Promise<void> {
  const known = await listFiles(input.folder)
  if (await isMigrated(deps.db, known)) return
  // The files are read only when the database lacks one.
  const files = await readMigrations(input.folder, known)
  await holdAlone(deps.db, ADVISORY_LOCKS.migrate, deps, WORK, async (connection) => {
    const { adopted, names } = await retryLocks(deps, WORK, () =>
      connection
        .transaction()
        .execute((tx) => runPending(tx, files))
        .catch(explainFailure),
    ).catch(asMigrationError)
    if (adopted !== null) deps.log.info(adopted, 'adopted the database')
    if (names.length > 0) deps.log.info({ migrations: names }, 'migrated the database')
  })
}

const WORK = 'the migration of the database'

/** Refuses a newer database before it waits for an instance that migrates. */
async function isMigrated(db: Kysely<Database>, known: readonly string[]): Promise<boolean> {
  const present = await listMigrations(db)
  if (present.every((name) => known.includes(name))) return present.length === known.length
  refuseNewerDatabase(present, [...known, ...listOldNames(await readAdoptedMigrations())])
  return false
}

/** Adopts migrations of before and runs the pending files. Returns their names. */
async function runPending(tx: Transaction<Database>, files: MigrationFiles) {
  const known = Object.keys(files)
  await createMigrationTables(tx)
  const adopted = await adoptMigrations(tx, known)
  const present = await listMigrations(tx)
  refuseNewerDatabase(present, known)
  const names = known.filter((name) => !present.includes(name))
  refuseGaps(present, names)
  await lockTables(
    tx,
    names.flatMap((name) => files[name]?.locks ?? []),
  )
  for (const name of names) await runFile(tx, name, files[name]?.text ?? '')
  return { adopted, names }
}

/** Refuses a file that comes before one which was applied already: it would change what that one made. */
function refuseGaps(present: readonly string[], pending: readonly string[]): void {
  const [first] = pending
  const later = present.find((name) => first !== undefined && name > first)
  if (later === undefined) return
  throw new MigrationError(`the database has the migration ${later}, and lacks ${first}: restore a backup`)
}

async function runFile(tx: Transaction<Database>, name: string, text: string): Promise<void> {
  await sql
    .raw(text)
    .execute(tx)
    .catch((error: unknown) => {
      if (isDatabaseUnavailable(error)) throw error
      throw new MigrationError(`migration ${name} failed: ${reasonOf(error)}`, error)
    })
  await storeMigration(tx, name)
}

/** Keeps errors after which the transaction is tried again. */
function explainFailure(error: unknown): never {
  if (error instanceof MigrationError || error instanceof LocksLate || isDatabaseUnavailable(error))
    throw error
  throw new MigrationError(`the database could not be migrated: ${reasonOf(error)}`, error)
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

/** Returns the names of the migrations of this build. */
export const listKnownMigrations = (): Promise<string[]> => listFiles(MIGRATIONS_DIR)

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
