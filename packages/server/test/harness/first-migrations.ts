import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { type Kysely, type Migration, Migrator, sql } from 'kysely'
import { readAdoptedMigrations } from '../../src/platform/db/adopted-migrations.ts'
import type { Database } from '../../src/platform/db/tables.ts'
import { packageFile } from '../../src/platform/package-file.ts'

const FILE = new URL('../fixtures/first-migrations.json.gz', import.meta.url)

/** The migrations of the commit whose databases are adopted, by name. */
export const FIRST_MIGRATIONS: Readonly<Record<string, string>> = JSON.parse(
  gunzipSync(readFileSync(FILE)).toString(),
)

/**
 * Migrates a database as servers did before their migrations became fewer: with the files of that commit,
 * without those in `missing`, and then with this number of later ones.
 */
export async function migrateAsBefore(
  db: Kysely<Database>,
  { later = 0, missing = [] }: { readonly later?: number; readonly missing?: readonly string[] } = {},
): Promise<void> {
  const texts = Object.entries({ ...FIRST_MIGRATIONS, ...(await laterMigrations(later)) })
  const migrations = texts
    .filter(([name]) => !missing.includes(name))
    .map(([name, text]): [string, Migration] => [
      name,
      { up: async (tx) => void (await sql.raw(text).execute(tx)) },
    ])
  const provider = { getMigrations: async () => Object.fromEntries(migrations) }
  const { error } = await new Migrator({ db, provider }).migrateToLatest()
  if (error !== undefined) throw error
}

/** Returns the first of the later migrations, under the names of then. */
async function laterMigrations(count: number): Promise<Readonly<Record<string, string>>> {
  const { names } = await readAdoptedMigrations()
  const entries = Object.entries(names.renamed).slice(0, count)
  return Object.fromEntries(
    entries.map(([before, now]) => [before, readFileSync(packageFile(`migrations/${now}.sql`), 'utf8')]),
  )
}
