import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Kysely, type Migration, Migrator, sql } from 'kysely'
import type { Log } from '../log.ts'
import { packageFile } from '../package-file.ts'
import type { Database } from './tables.ts'

const MIGRATIONS_DIR = packageFile('migrations')

const MIGRATIONS_TABLE = 'kysely_migration'

/** Thrown when the database cannot be migrated to the schema of this build. The message is one clear line. */
export class MigrationError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'MigrationError'
  }
}

/**
 * Runs the numbered SQL files that the database lacks, in order, in one transaction. Any number of instances
 * may do this at once: an advisory lock lets one work while the others wait and then find nothing to do.
 * Throws `MigrationError` when a file fails, or when the database has a migration of a newer server.
 */
export async function migrate(
  deps: { db: Kysely<Database>; log: Log },
  input: { folder: string } = { folder: MIGRATIONS_DIR },
): Promise<void> {
  const migrations = await readMigrations(input.folder)
  await refuseNewerDatabase(deps.db, Object.keys(migrations))
  const migrator = new Migrator({
    db: deps.db,
    provider: { getMigrations: async () => migrations },
    migrationTableName: MIGRATIONS_TABLE,
  })
  const { error, results = [] } = await migrator.migrateToLatest()
  const failed = results.find(({ status }) => status === 'Error')
  if (failed !== undefined)
    throw new MigrationError(`migration ${failed.migrationName} failed: ${reasonOf(error)}`, error)
  if (error !== undefined)
    throw new MigrationError(`the database could not be migrated: ${reasonOf(error)}`, error)
  const names = results.map(({ migrationName }) => migrationName)
  if (names.length > 0) deps.log.info({ migrations: names }, 'migrated the database')
}

async function readMigrations(folder: string): Promise<Record<string, Migration>> {
  const files = (await readdir(folder)).filter((file) => /^\d{4}-[a-z0-9-]+\.sql$/.test(file)).sort()
  const entries = files.map(async (file): Promise<[string, Migration]> => {
    const text = await readFile(join(folder, file), 'utf8')
    return [file.replace(/\.sql$/, ''), { up: async (db) => void (await sql.raw(text).execute(db)) }]
  })
  return Object.fromEntries(await Promise.all(entries))
}

/** Refuses a newer database: an older build would write rows that the newer schema does not expect. */
async function refuseNewerDatabase(db: Kysely<Database>, known: readonly string[]): Promise<void> {
  const unknown = (await listMigrations(db)).filter((name) => !known.includes(name))
  if (unknown.length === 0) return
  throw new MigrationError(
    `the database was migrated by a newer version of Burgee (${unknown.join(', ')}): start that version, or restore a backup`,
  )
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

/** Returns the names of the migrations of this build. */
export const listKnownMigrations = async (): Promise<string[]> =>
  Object.keys(await readMigrations(MIGRATIONS_DIR))

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
