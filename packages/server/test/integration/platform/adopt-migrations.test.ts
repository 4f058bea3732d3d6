import { writeFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createVerifyAudit } from '../../../src/governance/audit/verify-audit.ts'
import { findDifference, readAdoptedMigrations } from '../../../src/platform/db/adopted-migrations.ts'
import { ADVISORY_LOCKS } from '../../../src/platform/db/advisory-locks.ts'
import { connectDatabase } from '../../../src/platform/db/connect.ts'
import { describeSchema } from '../../../src/platform/db/describe-schema.ts'
import { listKnownMigrations, migrate } from '../../../src/platform/db/migrate.ts'
import { MigrationError } from '../../../src/platform/db/migration-error.ts'
import { packageFile } from '../../../src/platform/package-file.ts'
import { fillChains } from '../../audit/fill-chains.ts'
import { createTestDatabase, type TestDatabase } from '../../harness/database.ts'
import { describeRest } from '../../harness/describe-rest.ts'
import { eventually } from '../../harness/eventually.ts'
import { FIRST_MIGRATIONS, migrateAsBefore } from '../../harness/first-migrations.ts'
import { compareSchemas, makeAdopted } from '../../harness/make-adopted.ts'
import { silentLog } from '../../harness/silent-log.ts'

const LATER = 8

const log = silentLog()
let database: TestDatabase
beforeEach(async () => {
  database = await createTestDatabase({ from: 'empty' })
})
afterEach(() => database.drop())

const start = () => migrate({ db: database.db, log })
const run = async (statement: string) => (await database.pool.query(statement)).rows
const storedNames = () => run('select name, timestamp from kysely_migration order by timestamp, name')

/** Starts, expects that nothing was written, and returns the line with which it ends. */
async function refusal(): Promise<string> {
  const before = await storedNames()
  const error = await start().catch((caught: unknown) => caught)
  expect(error).toBeInstanceOf(MigrationError)
  expect(await storedNames()).toEqual(before)
  return (error as MigrationError).message
}

describe('the schema of the earlier migrations', () => {
  it('has the hashes of adopted.json, and a new database has the same tables, column orders, rows and partitions', async () => {
    const earlier = await createTestDatabase({ from: 'empty' })
    const made = await makeAdopted(earlier.db)
    const { changes, objects, ...rest } = await readAdoptedMigrations()
    if (process.env.BURGEE_WRITE_ADOPTED === '1')
      writeFileSync(packageFile('migrations/adopted.json'), format({ ...rest, ...made }))
    else expect({ changes, objects }).toEqual(made)
    await start()
    expect(await describeSchema(database.db)).toEqual(await describeSchema(earlier.db))
    expect(await describeRest(database.pool)).toEqual(await describeRest(earlier.pool))
    await earlier.drop()
  })

  it('is compared without what a later migration dropped', async () => {
    await start()
    const before = await describeSchema(database.db)
    await run('drop table drift_notes')
    const after = await describeSchema(database.db)
    const dropped = compareSchemas(before, after)
    expect(Object.keys(dropped)).toEqual(['table drift_notes'])
    const stored = await readAdoptedMigrations()
    const adopted = { ...stored, objects: compareSchemas(new Map(), before), changes: { dropped } }
    expect(findDifference(adopted, [], before)).toBeNull()
    expect(findDifference(adopted, [], after)).toBe('table drift_notes is missing')
    expect(findDifference(adopted, ['dropped'], after)).toBeNull()
  })

  it('the names of adopted.json are those of the earlier migrations and of the first ones of now', async () => {
    const { names } = await readAdoptedMigrations()
    expect(names.before).toEqual(Object.keys(FIRST_MIGRATIONS))
    const now = [...names.after, ...Object.values(names.renamed)]
    expect(now).toEqual((await listKnownMigrations()).slice(0, now.length))
    expect(Object.keys(names.renamed)).toHaveLength(LATER)
  })
})

describe('a start on a database of the earlier migrations', () => {
  it('adopts it, runs what is pending, and its audit chains verify', async () => {
    await migrateAsBefore(database.db)
    await fillChains(database, { chains: 2, rows: 20 })
    await run(`insert into projects (id, name, slug) values ('00000000-0000-4000-8000-000000000001', 'P', 'p');
      insert into environments (id, project_id, name, slug, color) values
        ('00000000-0000-4000-8000-000000000002', '00000000-0000-4000-8000-000000000001', 'E', 'e', '#fff')`)
    const entries = await run('select * from audit_log order by id')
    await start()
    expect((await storedNames()).map(({ name }) => name)).toEqual(await listKnownMigrations())
    expect(await run('select * from audit_log order by id')).toEqual(entries)
    const lines = (await text(createVerifyAudit(database.db)({}))).trim().split('\n')
    const results = lines.map((line) => JSON.parse(line))
    expect(results).toHaveLength(4)
    expect(results.filter(({ first_bad }) => first_bad !== undefined)).toEqual([])
  })

  it('adopts it once when six instances start together while one of before migrates, and an index of the operator stays', async () => {
    await migrateAsBefore(database.db)
    await run(`create index operator_idx on flags (owner_email); create table operator_notes (note text)`)
    const instances = Array.from({ length: 6 }, () =>
      connectDatabase({ connection: database.connection, max_connections: 2, log }),
    )
    // A server of before that migrates meanwhile.
    const holder = await database.pool.connect()
    await holder.query('select pg_advisory_lock($1)', [ADVISORY_LOCKS.migrate])
    // The wait for it is not ended by the time after which locks on tables are given up.
    const starts = Promise.all(instances.map(({ db }) => migrate({ db, log, patienceMs: 0 })))
    await eventually(async () => (await run(WAITING))[0]?.count === instances.length)
    expect((await storedNames()).map(({ name }) => name)).toEqual(Object.keys(FIRST_MIGRATIONS))
    await holder.query('select pg_advisory_unlock($1)', [ADVISORY_LOCKS.migrate])
    holder.release()
    await starts
    await Promise.all(instances.map(({ close }) => close()))
    expect((await storedNames()).map(({ name }) => name)).toEqual(await listKnownMigrations())
    expect(await run(`select to_regclass('operator_idx') is not null as stays`)).toEqual([{ stays: true }])
  })

  it('adopts one with every later migration while a session has locked all tables', async () => {
    await migrateAsBefore(database.db, { later: LATER })
    const schema = await describeSchema(database.db)
    const tables = [...schema.keys()].filter((name) => name.startsWith('table '))
    const names = tables.map((name) => name.slice('table '.length))
    const holder = await database.pool.connect()
    await holder.query(`begin; lock table ${names.join(', ')} in share row exclusive mode`)
    await start()
    await holder.query('rollback')
    holder.release()
    expect(await describeSchema(database.db)).toEqual(schema)
    expect((await storedNames()).map(({ name }) => name)).toEqual(await listKnownMigrations())
    await start()
  })
})

/** Sessions whose last statement tried the lock. */
const WAITING = `select count(*)::int as count from pg_stat_activity
  where datname = current_database() and state = 'idle' and query like '%pg_try_advisory_lock%'`

describe('a start on a database that is adopted and cannot be migrated', () => {
  it('keeps the old names when locks are not free or a file fails, and adopts it at the next start', async () => {
    await migrateAsBefore(database.db)
    const names = await storedNames()
    const schema = await describeSchema(database.db)
    const holder = await database.pool.connect()
    await holder.query('begin; lock table access_tokens in access share mode')
    const late = migrate({ db: database.db, log, patienceMs: 300 })
    await expect(late).rejects.toThrow(/did not get its locks within 1 s.*Nothing was changed/)
    await holder.query('rollback')
    holder.release()
    await run('create type report_batches as enum ()')
    await expect(start()).rejects.toThrow(/migration 0018-report-batches failed: .*report_batches/)
    expect(await storedNames()).toEqual(names)
    expect(await describeSchema(database.db)).toEqual(schema)
    // A server of before starts on it still.
    await migrateAsBefore(database.db)
    await run('drop type report_batches')
    await start()
    expect((await storedNames()).map(({ name }) => name)).toEqual(await listKnownMigrations())
  })
})

describe('a start on a database that cannot be adopted', () => {
  it('names what is missing, and adopts it once the earlier commit was started on it', async () => {
    const missing = Object.keys(FIRST_MIGRATIONS).slice(-3)
    await migrateAsBefore(database.db, { missing })
    expect(await refusal()).toBe(
      'the database has 41 of the 44 migrations of commit 8824eeda (0057-former-service-accounts and 2 more are missing): start that commit on it once, then this version',
    )
    await migrateAsBefore(database.db, { missing: missing.slice(-1) })
    expect(await refusal()).toBe(
      'the database has 43 of the 44 migrations of commit 8824eeda (0067-seen-user-removals is missing): start that commit on it once, then this version',
    )
    await migrateAsBefore(database.db, { later: 1 })
    await start()
    expect((await storedNames()).map(({ name }) => name)).toEqual(await listKnownMigrations())
  })

  it('names what is different, and adopts it once that was undone', async () => {
    await migrateAsBefore(database.db)
    await run('alter table flags add column mine text')
    expect(await refusal()).toBe(
      'table flags is not as its migrations make it (column mine was added): undo that change, or restore a backup from before it',
    )
    await run(
      `alter table flags drop column mine; insert into kysely_migration values ('0090-newer', '2099')`,
    )
    expect(await refusal()).toBe(
      'the database was migrated by a newer version of Burgee (0090-newer): start that version, or restore a backup',
    )
    await run(`delete from kysely_migration where name = '0090-newer'`)
    expect(await differencesAfter(CHANGES)).toEqual(Object.values(CHANGES))
    await start()
  })
})

const CHANGES = {
  'alter table flags drop column wire_bytes cascade':
    'table flags is not as its migrations make it (column wire_bytes is missing)',
  'alter table flags alter owner_email set default 1':
    'table flags is not as its migrations make it (column owner_email is different)',
  'alter table flags add check (revision > 0)':
    'table flags is not as its migrations make it (constraint flags_revision_check was added)',
  'drop index flags_key_order_idx':
    'table flags is not as its migrations make it (index flags_key_order_idx is missing)',
  'alter table flags disable trigger flags_count_bytes':
    'table flags is not as its migrations make it (trigger flags_count_bytes is different)',
  'alter table sdk_clients set logged': 'table sdk_clients is not as its migrations make it',
  'alter table drift_notes drop constraint drift_notes_pkey':
    'table drift_notes is not as its migrations make it (constraint drift_notes_pkey is missing)',
  'drop table seen_user_removals': 'table seen_user_removals is missing',
  "create or replace function current_audit_month() returns date language sql as 'select current_date'":
    'function current_audit_month() is not as its migrations make it',
  'create index on flags (owner_email)': null,
}

/** Makes each change, and undoes it after looking for the difference. */
async function differencesAfter(changes: object): Promise<(string | null)[]> {
  const adopted = await readAdoptedMigrations()
  const found: (string | null)[] = []
  for (const statement of Object.keys(changes)) {
    const tx = await database.db.startTransaction().execute()
    await sql.raw(statement).execute(tx)
    found.push(findDifference(adopted, adopted.names.before, await describeSchema(tx)))
    await tx.rollback().execute()
  }
  return found
}

/** One line for each object. */
const format = (value: object): string =>
  `${JSON.stringify(value, null, 1)
    .replace(/\n {3,}/g, ' ')
    .replace(/\n {2}([}\]])/g, ' $1')}\n`
