import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dropAuditMonths } from '../../../src/changes/drop-audit-months.ts'
import { makeAuditMonths } from '../../../src/changes/make-audit-months.ts'
import { connectDatabase } from '../../../src/platform/db/connect.ts'
import { createTestDatabase, type TestDatabase } from '../../harness/database.ts'
import { eventually } from '../../harness/eventually.ts'
import { silentLog } from '../../harness/silent-log.ts'
import { startTestServer, type TestServer } from '../../harness/start-test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

/** Adds a month of long ago with one entry, as if it had been written then. */
async function addMonth({ pool }: TestDatabase, month: string, environment_id: string | null): Promise<void> {
  const name = month.replaceAll('-', '').slice(0, 6)
  const next = `('${month}'::date + interval '1 month')::date`
  await pool.query(`
    do $$ begin
      alter table audit_log detach partition audit_log_until_upgrade;
      alter table audit_chunks detach partition audit_chunks_until_upgrade;
    exception when others then null; end $$;
    do $$ begin
      execute format('create table audit_log_${name} partition of audit_log for values from (''${month}'') to (%L)', ${next});
      execute format('create table audit_chunks_${name} partition of audit_chunks for values from (''${month}'') to (%L)', ${next});
    end $$;
    alter table audit_log_${name} owner to burgee_owner;
    alter table audit_chunks_${name} owner to burgee_owner`)
  await addEntry(pool, month, environment_id)
}

const addEntry = (pool: TestDatabase['pool'], month: string, environment_id: string | null) =>
  pool.query(
    `insert into audit_log (month, environment_id, actor_email, action, stored_bytes, created_at)
     values ($1, $2, 'ada@example.com', 'update', 1000, $1::date)`,
    [month, environment_id],
  )

/** Connects as the owner of the tables, with a connection like that of the job. */
function asOwner(database: TestDatabase) {
  return connectDatabase({
    connection: database.ownerUrl,
    max_connections: 2,
    log: silentLog(),
    longRunning: true,
  })
}

const partitionsOf = async (pool: TestDatabase['pool'], pattern: string): Promise<string[]> =>
  (await pool.query('select relname from pg_class where relname ~ $1 order by 1', [pattern])).rows.map(
    ({ relname }) => relname,
  )

const countedBytes = async (pool: TestDatabase['pool'], environment_id: string) => {
  const { rows } = await pool.query('select stored_bytes from environments where id = $1', [environment_id])
  return Number(rows[0].stored_bytes)
}

describe('AUDIT_RETENTION_DAYS', () => {
  it('AUDIT_RETENTION_DAYS drops whole months at the start, frees their bytes, and records it in the audit log', async () => {
    const database = await createTestDatabase()
    const first = await startTestServer({ database })
    const environment_id = first.environments.staging
    await first.close()
    await addMonth(database, '2020-01-01', environment_id)
    await addMonth(database, '2020-02-01', null)
    const { pool } = database
    await pool.query('update environments set stored_bytes = 5000 where id = $1', [environment_id])
    const second = await startTestServer({ database, env: { AUDIT_RETENTION_DAYS: '31' } })
    try {
      await eventually(async () => (await partitionsOf(pool, '^audit_.*(2020|expired)')).length === 0)
      const { rows: entries } = await pool.query(
        "select actor_email, action, metadata from audit_log where metadata ->> 'resource' = 'audit_log' order by id",
      )
      const entryOf = (untilMonth: string) => ({
        actor_email: 'system',
        action: 'delete',
        metadata: { origin: 'direct', resource: 'audit_log', until_month: untilMonth, entries: 1 },
      })
      expect(entries).toEqual([entryOf('2020-01'), entryOf('2020-02')])
      await eventually(async () => (await countedBytes(pool, environment_id)) === 4000)
    } finally {
      await second.close()
      await database.drop()
    }
  })

  it('AUDIT_RETENTION_DAYS never drops a month that ended less than 31 days ago', async () => {
    const { pool } = server.database
    const count = async () => (await pool.query('select count(*)::int as n from audit_log')).rows[0].n
    const before = await count()
    const owner = asOwner(server.database)
    await dropAuditMonths(owner.db, { beforeDay: '9999-01-01', isClosed: () => false })
    await owner.close()
    expect(await count()).toBe(before)
    expect(before).toBeGreaterThan(0)
  })

  it('without AUDIT_RETENTION_DAYS every entry is kept', async () => {
    await addMonth(server.database, '2019-05-01', null)
    await server.call({ path: '/api/projects' })
    const { rows } = await server.database.pool.query("select from audit_log where month = '2019-05-01'")
    expect(rows).toHaveLength(1)
  })
})

describe('dropping a month of the audit log', () => {
  const dropping = { beforeDay: '2018-01-01', isClosed: () => false }

  it('dropping a month locks no environment, and gives up soon while a reader blocks it', async () => {
    const { pool } = server.database
    const environment_id = server.environments.staging
    await addMonth(server.database, '2017-05-01', environment_id)
    const owner = asOwner(server.database)
    const reader = await pool.connect()
    try {
      await reader.query('begin')
      await reader.query('select from audit_log limit 1')
      await expect(dropAuditMonths(owner.db, dropping)).rejects.toThrow('lock timeout')
      await reader.query('rollback; begin')
      // Like a long write of the environment.
      await reader.query('select from environments where id = $1 for no key update', [environment_id])
      expect(await dropAuditMonths(owner.db, dropping)).toBe(1)
    } finally {
      await reader.query('rollback')
      reader.release()
      await owner.close()
    }
  })

  it('dropping a month lets writes through while it counts, and continues after a crash', async () => {
    const { database } = server
    await addMonth(database, '2017-06-01', server.environments.staging)
    const owner = asOwner(database)
    const blocker = await database.pool.connect()
    try {
      // The state after a crash: the month is detached, and nothing of it counted.
      await blocker.query('alter table audit_log detach partition audit_log_201706')
      await blocker.query('alter table audit_log_201706 rename to audit_log_expired_201706')
      await blocker.query('begin; lock table audit_log_expired_201706 in access exclusive mode')
      const dropped = dropAuditMonths(owner.db, dropping)
      await eventually(async () => {
        const { rows } = await database.pool.query(
          "select from pg_stat_activity where wait_event_type = 'Lock' and query like '%audit_log_expired_201706%' and datname = current_database()",
        )
        return rows.length === 1
      })
      const path = `/api/environments/${server.environments.staging}/flags`
      expect((await server.call({ path, body: { key: 'meanwhile', is_enabled: true } })).status).toBe(200)
      await blocker.query('rollback')
      expect(await dropped).toBe(1)
      expect(await partitionsOf(database.pool, '^audit_.*201706')).toEqual([])
    } finally {
      blocker.release()
      await owner.close()
    }
  })
})

describe('creating months of the audit log', () => {
  it('months ahead are created, and none twice', async () => {
    const { pool } = server.database
    const [one, two] = [asOwner(server.database), asOwner(server.database)]
    await pool.query('drop table if exists audit_log_until_upgrade, audit_chunks_until_upgrade')
    await makeAuditMonths(one.db)
    const before = await partitionsOf(pool, '^audit_(log|chunks)_[0-9]{6}$')
    await Promise.all([makeAuditMonths(one.db), makeAuditMonths(two.db)])
    await Promise.all([one.close(), two.close()])
    const { rows } = await pool.query(
      "select to_char(current_audit_month() + interval '1 month', 'YYYYMM') as next",
    )
    expect(before).toContain(`audit_log_${rows[0].next}`)
    expect(await partitionsOf(pool, '^audit_(log|chunks)_[0-9]{6}$')).toEqual(before)
  })

  it('entries from before their month existed move out of the default partition, each month separately', async () => {
    const { pool } = server.database
    for (const month of ['2016-01-01', '2016-01-01', '2016-03-01']) await addEntry(pool, month, null)
    await pool.query(
      "insert into audit_chunks (month, environment_id, hash, content) values ('2016-01-01', $1, '\\x01', 'text')",
      [server.environments.staging],
    )
    const entries =
      "select id, month, action, created_at from audit_log where month < '2017-01-01' order by id"
    const { rows: before } = await pool.query(entries)
    // One of them cannot be created.
    await pool.query('create view audit_log_201601 as select 1 as n')
    const owner = asOwner(server.database)
    await expect(makeAuditMonths(owner.db)).rejects.toThrow('months not made: 1')
    expect((await pool.query('select from audit_log_201603')).rows).toHaveLength(1)
    expect((await pool.query('select from audit_chunks_201601')).rows).toHaveLength(1)
    await pool.query('drop view audit_log_201601')
    await makeAuditMonths(owner.db)
    await owner.close()
    expect((await pool.query('select from audit_log_201601')).rows).toHaveLength(2)
    expect(
      (await pool.query('select from audit_log_other union all select from audit_chunks_other')).rows,
    ).toEqual([])
    expect((await pool.query(entries)).rows).toEqual(before)
    for (const statement of [
      'delete from audit_log_201601',
      'truncate audit_log_201601',
      'truncate audit_chunks_201601',
    ])
      await expect(pool.query(statement)).rejects.toThrow('append-only')
    await addEntry(pool, '2015-01-01', null)
    await expect(pool.query('delete from audit_log_other')).rejects.toThrow('append-only')
  })

  it('creating a month gives up soon while a writer blocks it, and delays no other writer of the log', async () => {
    const { pool } = server.database
    await addEntry(pool, '2014-01-01', null)
    const writer = await pool.connect()
    const owner = asOwner(server.database)
    try {
      await writer.query('begin')
      await writer.query('lock table audit_log_other in row exclusive mode')
      const failed = expect(makeAuditMonths(owner.db)).rejects.toThrow('months not made')
      const path = `/api/environments/${server.environments.staging}/flags`
      expect((await server.call({ path, body: { key: 'beside', is_enabled: true } })).status).toBe(200)
      await failed
      await writer.query('rollback')
      await makeAuditMonths(owner.db)
      expect(await partitionsOf(pool, '^audit_log_201401$')).toEqual(['audit_log_201401'])
    } finally {
      writer.release()
      await owner.close()
    }
  })
})
