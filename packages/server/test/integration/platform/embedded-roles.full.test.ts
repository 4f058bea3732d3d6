import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { ruleFor } from '../../../../embedded-postgres/src/authentication-file.ts'
import { parseAccounts } from '../../../../embedded-postgres/src/postgres-account.ts'
import {
  ClusterRefused,
  startEmbeddedPostgres,
} from '../../../../embedded-postgres/src/start-embedded-postgres.ts'
import type { DatabaseAddress } from '../../../src/platform/db/database-connection.ts'
import { openDatabase } from '../../../src/platform/db/open-database.ts'
import { createReportPartitions } from '../../../src/reporting/ingest/report-partitions.ts'
import { makeOldCluster } from '../../harness/old-cluster.ts'
import { silentLog } from '../../harness/silent-log.ts'
import { superuserOf } from '../../harness/temporary-postgres.ts'

const AS_ROOT = process.getuid?.() === 0
const log = silentLog()

const endings: (() => unknown)[] = []
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end()
})

function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'burgee-'))
  endings.push(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

async function start(dataDir: string) {
  const postgres = await startEmbeddedPostgres({ dataDir, log, settings: { fsync: 'off' } })
  endings.push(postgres.close)
  return postgres
}

async function run(connection: Partial<DatabaseAddress>, statement: string): Promise<unknown[]> {
  const client = new pg.Client(connection)
  try {
    await client.connect()
    const result: { rows: unknown[] } = await client.query(statement)
    return result.rows
  } finally {
    await client.end().catch(() => undefined)
  }
}

const secretOf = (dataDir: string) => join(dataDir, 'postgresql-password')
const rulesOf = (dataDir: string) => join(dataDir, 'postgresql', 'pg_hba.conf')

describe('the roles of the embedded PostgreSQL', () => {
  it('the roles require the password, which is in a file of mode 0600', async () => {
    const dataDir = aFolder()
    const { connection, ownerConnection } = await start(dataDir)

    for (const user of ['burgee', 'burgee_owner', 'burgee_app']) {
      const { host, port = 5432 } = connection
      await expect(run({ host, port, user, database: 'burgee' }, 'select 1')).rejects.toThrow(/password/)
      const wrong = { host, port, user, database: 'burgee', password: 'wrong' }
      await expect(run(wrong, 'select 1')).rejects.toThrow('password authentication failed')
    }
    const passwords = [connection, ownerConnection, await superuserOf(dataDir, connection)].map(
      ({ password = '' }) => password,
    )
    expect(new Set(passwords).size).toBe(3)
    expect(passwords.every((password) => password.length >= 40)).toBe(true)
    expect(statSync(secretOf(dataDir)).mode & 0o777).toBe(0o600)
    expect(statSync(join(dataDir, 'postgresql')).mode & 0o777).toBe(0o700)
    expect(readFileSync(rulesOf(dataDir), 'utf8')).not.toMatch(/^[^#]*\btrust\b/m)
  })

  it('the roles are not superusers, and that of requests owns nothing', async () => {
    const { connection, ownerConnection } = await start(aFolder())
    const attributes = `select rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls as is_mighty,
      (select count(*)::int from pg_shdepend where refobjid = pg_roles.oid and deptype = 'o') as owned
      from pg_roles where rolname = current_user`

    expect(await run(connection, attributes)).toEqual([{ is_mighty: false, owned: 0 }])
    expect(await run(ownerConnection, attributes)).toEqual([{ is_mighty: false, owned: 1 }])
  })
})

describe('the role that serves requests', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'burgee-'))
  let postgres: Awaited<ReturnType<typeof startEmbeddedPostgres>>
  beforeAll(async () => {
    postgres = await startEmbeddedPostgres({ dataDir, log, settings: { fsync: 'off' } })
  })
  afterAll(async () => {
    await postgres.close()
    rmSync(dataDir, { recursive: true })
  })

  it.each([
    'create table mine (n int)',
    "copy (select 1) to program 'true'",
    "select pg_read_file('pg_hba.conf')",
    'select rolpassword from pg_authid',
    'set session_replication_role = replica',
    'set role burgee_owner',
    'set session authorization burgee',
    'alter role burgee_app superuser',
    'create database another',
  ])('the role that serves requests may not: %s', async (statement) => {
    await expect(run(postgres.connection, statement)).rejects.toThrow(/permission denied|must be|Only roles/)
  })
})

describe('a data folder of an earlier version', () => {
  const account = AS_ROOT
    ? async () =>
        parseAccounts(await readFile('/etc/passwd', 'utf8')).find(({ name }) => name === 'nobody') ?? null
    : async () => null
  const statements = [
    "insert into projects (id, name, slug) values (gen_random_uuid(), 'Shop', 'shop')",
    "insert into audit_log (actor_email, action, created_at) values ('ada@example.com', 'create', now())",
    'create table impressions_20240101 (like impressions including defaults)',
    "alter table impressions attach partition impressions_20240101 for values from ('2024-01-01') to ('2024-01-02')",
    'create sequence counted',
    'create view shops as select * from projects',
  ]
  const open = async (dataDir: string) => {
    const signal = new AbortController().signal
    const config = { database: { kind: 'embedded', dataDir }, dbMaxConnections: 2 } as const
    const database = await openDatabase({ log, signal }, config)
    endings.push(database.close)
    return database
  }

  it('a data folder of an earlier version keeps its rows, requires passwords, and belongs to the owner', async () => {
    const dataDir = aFolder()
    chmodSync(dataDir, 0o755)
    await makeOldCluster(dataDir, { account: await account(), statements })
    expect(readFileSync(rulesOf(dataDir), 'utf8')).toMatch(/^local.*trust$/m)

    const { db, maintenance, pool } = await open(dataDir)

    expect(await db.selectFrom('projects').select('slug').execute()).toEqual([{ slug: 'shop' }])
    expect(await db.selectFrom('audit_log').select('action').execute()).toEqual([{ action: 'create' }])
    const { rows } = await pool.query(
      `select distinct pg_get_userbyid(relowner) as owner from pg_class where relnamespace = 'public'::regnamespace
        union select distinct pg_get_userbyid(proowner) from pg_proc where pronamespace = 'public'::regnamespace`,
    )
    expect(rows).toEqual([{ owner: 'burgee_owner' }])
    await expect(pool.query('delete from audit_log')).rejects.toThrow('permission denied')
    const partitions = createReportPartitions(maintenance)
    await partitions.ensure(['2026-01-01'])
    expect(await partitions.dropBefore({ reports: '2026-01-01', seenUsers: '2026-01-01' })).toBe(true)
    const { host, port } = await superuserOf(dataDir, {
      host: join(dataDir, 'postgresql'),
      user: '',
      database: '',
    })
    const bare = { host, port: port ?? 5432, user: 'burgee', database: 'burgee' }
    await expect(run(bare, 'select 1')).rejects.toThrow(/password/)
  })

  it('a data folder of an earlier version is taken over by the next start when the first one was interrupted', async () => {
    const dataDir = aFolder()
    chmodSync(dataDir, 0o755)
    await makeOldCluster(dataDir, { account: await account(), statements })
    // The state after a kill between two steps: the secret is stored, and nothing else is done.
    writeFileSync(secretOf(dataDir), 'a-secret-that-no-role-has-yet\n', { mode: 0o600 })

    const { db } = await open(dataDir)

    expect(await db.selectFrom('projects').select('slug').execute()).toEqual([{ slug: 'shop' }])
    expect(readFileSync(rulesOf(dataDir), 'utf8')).not.toMatch(/\btrust\b/)
  })
})

describe('the rules of the embedded PostgreSQL', () => {
  it('rules that reject the server are reported with what to write, and that works', async () => {
    const dataDir = aFolder()
    const { close } = await start(dataDir)
    await close()
    writeFileSync(rulesOf(dataDir), `${ruleFor('win32', 'scram-sha-256')}\n`)

    const error = await start(dataDir).catch((caught: unknown) => caught)

    expect(error).toBeInstanceOf(ClusterRefused)
    const rule = /pg_hba\.conf reject Burgee: .* by "([^"]+)"$/.exec(String(error))?.[1]
    writeFileSync(rulesOf(dataDir), `${rule}\n`)
    const { connection } = await start(dataDir)
    expect(await run(connection, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it.each(['win32', 'linux', 'darwin'] as const)(
    'the rules accept every role with its password and in no other way (%s)',
    async (platform) => {
      const dataDir = aFolder()
      const { connection } = await start(dataDir)
      writeFileSync(rulesOf(dataDir), `${ruleFor(platform, 'scram-sha-256')}\n`)
      const rules = await run(
        await superuserOf(dataDir, connection),
        'select type, address, auth_method, error from pg_hba_file_rules',
      )
      expect(rules).toEqual([
        platform === 'win32'
          ? { type: 'host', address: '127.0.0.1', auth_method: 'scram-sha-256', error: null }
          : { type: 'local', address: null, auth_method: 'scram-sha-256', error: null },
      ])
    },
  )
})

describe('a data folder whose password is lost', () => {
  it.each(['missing', 'wrong'])(
    'a lost password is reported with an instruction (%s), and that works',
    async (how) => {
      const dataDir = aFolder()
      const { close, ownerConnection } = await start(dataDir)
      await run(ownerConnection, 'create table kept as select 7 as n')
      await close()
      if (how === 'missing') rmSync(secretOf(dataDir))
      else writeFileSync(secretOf(dataDir), 'another\n')

      await expect(start(dataDir)).rejects.toThrow(ClusterRefused)
      await expect(start(dataDir)).rejects.toThrow('postgresql-password does not contain the password')

      rmSync(secretOf(dataDir), { force: true })
      writeFileSync(rulesOf(dataDir), 'local all all trust\n')
      const again = await start(dataDir)
      expect(await run(again.ownerConnection, 'select n from kept')).toEqual([{ n: 7 }])
      expect(readFileSync(rulesOf(dataDir), 'utf8')).not.toMatch(/\btrust\b/)
    },
  )
})
