import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectDatabase } from '../../src/platform/db/connect.ts'
import { packageFile } from '../../src/platform/package-file.ts'
import { createTestDatabase, type TestDatabase } from '../harness/database.ts'
import { eventually } from '../harness/eventually.ts'
import { silentLog } from '../harness/silent-log.ts'
import { startTestServer, type TestServer } from '../harness/start-test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

/** A month of long ago with one entry and its chunk, as if it had been written then. */
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
  await pool.query(
    `insert into audit_log (month, environment_id, actor_email, action, stored_bytes, created_at)
     values ($1, $2, 'ada@example.com', 'update', 1000, $1::date)`,
    [month, environment_id],
  )
}

describe('AUDIT_RETENTION_DAYS', () => {
  it('drops whole months at the start, gives their bytes back, and says so in the audit log', async () => {
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
      await eventually(async () => {
        const { rows } = await pool.query("select from audit_log where month < '2021-01-01'")
        return rows.length === 0
      })
      const { rows: entries } = await pool.query(
        "select actor_email, action, metadata from audit_log where metadata ->> 'resource' = 'audit_log'",
      )
      expect(entries).toEqual([
        {
          actor_email: 'system',
          action: 'delete',
          metadata: { origin: 'direct', resource: 'audit_log', until_month: '2020-02', entries: 2 },
        },
      ])
      const { rows: left } = await pool.query('select stored_bytes from environments where id = $1', [
        environment_id,
      ])
      expect(Number(left[0].stored_bytes)).toBe(4000)
      const { rows: tables } = await pool.query(
        "select relname from pg_class where relname like 'audit_chunks_2020%'",
      )
      expect(tables).toEqual([])
    } finally {
      await second.close()
      await database.drop()
    }
  })

  it('never drops a month that ended less than 31 days ago, whatever is asked for', async () => {
    const { pool } = server.database
    const count = async () => (await pool.query('select count(*)::int as n from audit_log')).rows[0].n
    const before = await count()
    await pool.query("select drop_audit_months('9999-01-01')")
    expect(await count()).toBe(before)
    expect(before).toBeGreaterThan(0)
  })

  it('keeps everything when it is unset', async () => {
    await addMonth(server.database, '2019-05-01', null)
    await server.call({ path: '/api/projects' })
    const { rows } = await server.database.pool.query("select from audit_log where month = '2019-05-01'")
    expect(rows).toHaveLength(1)
  })

  it('makes the months ahead, and makes no month twice', async () => {
    const { pool } = server.database
    const names = async () =>
      (
        await pool.query(
          "select relname from pg_class where relname ~ '^audit_(log|chunks)_[0-9]{6}$' order by 1",
        )
      ).rows
    await pool.query('select make_audit_months()')
    const before = await names()
    await Promise.all([pool.query('select make_audit_months()'), pool.query('select make_audit_months()')])
    expect(await names()).toEqual(before)
  })
})

describe('a database of an earlier version', () => {
  it('keeps its audit entries, and they are read and dropped like others', async () => {
    const database = await createTestDatabase({ from: 'empty' })
    const { close, pool } = connectDatabase({
      connection: database.connection,
      max_connections: 1,
      log: silentLog(),
    })
    try {
      for (const name of ['0001-core', '0002-access-tokens-and-connections', '0003-governance'])
        await pool.query(await readFile(`${packageFile('migrations')}/${name}.sql`, 'utf8'))
      await pool.query(`
        insert into projects (id, name, slug) values ('00000000-0000-4000-8000-000000000001', 'P', 'p');
        insert into environments (id, project_id, name, slug, color) values
          ('00000000-0000-4000-8000-000000000002', '00000000-0000-4000-8000-000000000001', 'E', 'e', '#fff');
        insert into audit_log (project_id, environment_id, flag_key, actor_email, action, before_data, after_data, created_at)
        select '00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002', 'old', 'ada@example.com', 'update',
          '{"revision": 1}', json_build_object('revision', n), now() from generate_series(2, 11) n`)
      const before = await pool.query('select id, after_data::text from audit_log order by id')
      await pool.query(await readFile(`${packageFile('migrations')}/0009-bounded-storage.sql`, 'utf8'))
      const after = await pool.query('select id, after_data::text from audit_log order by id')
      expect(after.rows).toEqual(before.rows)
      const { rows } = await pool.query('select stored_bytes from environments')
      expect(Number(rows[0].stored_bytes)).toBeGreaterThan(1_000)
      const { rows: inserted } = await pool.query(
        "insert into audit_log (actor_email, action, created_at) values ('a', 'update', now()) returning id",
      )
      expect(Number(inserted[0].id)).toBe(11)
    } finally {
      await close()
      await database.drop()
    }
  })
})
