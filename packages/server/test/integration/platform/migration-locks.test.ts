import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { packageFile } from '../../../src/platform/package-file.ts'
import { createTestDatabase, type TestDatabase } from '../../harness/database.ts'
import { lockedTables } from '../../harness/locked-tables.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase({ from: 'empty' })
})
afterAll(() => database.drop())

const FOLDER = packageFile('migrations')

it('each migration names the tables in its first line that its statements lock', async () => {
  const session = await database.pool.connect()
  const tablesOfIndexes = new Map<string, string>()
  const differences: object[] = []
  for (const file of readdirSync(FOLDER)
    .filter((name) => name.endsWith('.sql'))
    .sort()) {
    const text = readFileSync(join(FOLDER, file), 'utf8')
    const [first = ''] = text.split('\n')
    const written = lockedTables(text, tablesOfIndexes)
    const { before, locked } = await runMigration(session, text)
    const named = new Set([...written.filter((name) => before.has(name)), ...locked])
    const wanted = [...named].sort().join(', ')
    const line = wanted === '' ? '-- locks:' : `-- locks: ${wanted}`
    if (first !== line) differences.push({ file, first, line })
  }
  session.release()
  expect(differences).toEqual([])
})

interface Tables {
  /** The tables before the migration. */
  readonly before: ReadonlySet<string>
  /** Those of them that it locked for more than reading. */
  readonly locked: readonly string[]
}

async function runMigration(session: pg.PoolClient, text: string): Promise<Tables> {
  await session.query('begin')
  await session.query(`create temporary table tables_before on commit drop as
    select oid, relname from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`)
  const before = await session.query<{ name: string }>('select relname as name from tables_before')
  await session.query(text)
  const locked = await session.query<{ name: string }>(`
    select distinct relname as name from pg_locks
    left join pg_index on indexrelid = relation join tables_before on oid = coalesce(indrelid, relation)
    where pid = pg_backend_pid() and locktype = 'relation' and mode <> 'AccessShareLock'`)
  await session.query('commit')
  return { before: new Set(namesOf(before.rows)), locked: namesOf(locked.rows) }
}

const namesOf = (rows: readonly { readonly name: string }[]) => rows.map(({ name }) => name)
