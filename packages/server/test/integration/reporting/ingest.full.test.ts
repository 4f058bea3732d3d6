import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startPartitionKeeping } from '../../../src/reporting/ingest/keep-partitions.ts'
import { createReportPartitions } from '../../../src/reporting/ingest/report-partitions.ts'
import { eventually } from '../../harness/eventually.ts'
import { createManualClock } from '../../harness/manual-clock.ts'
import { silentLog } from '../../harness/silent-log.ts'
import { startTestServer, type TestServer } from '../../harness/start-test-server.ts'
import { recountReports, storedRollups } from '../../reports/recount-reports.ts'
import { openEnvironment, type Reporting, reportingOf } from '../../reports/reporting.ts'

const DAY_MS = 86_400_000
let server: TestServer
let twin: TestServer
beforeAll(async () => {
  server = await startTestServer()
  twin = await startTestServer({ database: server.database })
})
afterAll(async () => {
  await twin.close()
  await server.close()
})

const accepted = async (answer: Promise<{ status: number }>) => expect((await answer).status).toBe(204)

/** Few keys, users, values and times, so that they repeat. */
const impression = fc.record(
  {
    flag_key: fc.constantFrom('a', 'b', 'B'),
    user_id: fc.constantFrom('u1', 'u2', 'u3', 'u4', '', null),
    value: fc.constantFrom('true', 'false', 'True', ''),
    evaluated_at: fc
      .integer({ min: 0, max: 300 })
      .map((hours) => new Date(Date.UTC(2026, 0, 1) + hours * 3_600_000).toISOString()),
  },
  { requiredKeys: ['flag_key', 'value', 'evaluated_at'] },
)
const goal_event = fc.record(
  {
    event_key: fc.constantFrom('order', 'basket', ''),
    user_id: fc.constantFrom('u1', 'u2', 'u3', 'u4', null),
    occurred_at: fc
      .integer({ min: 0, max: 300 })
      .map((hours) => new Date(Date.UTC(2026, 0, 1) + hours * 3_600_000).toISOString()),
  },
  { requiredKeys: ['event_key', 'occurred_at'] },
)

describe('rollups', () => {
  it('rollups equal a recount of the rows after any reports, in any order, concurrent, on any instance', async () => {
    const batches = fc.array(fc.array(impression, { maxLength: 40 }), { minLength: 1, maxLength: 12 })
    const goals = fc.array(fc.array(goal_event, { maxLength: 40 }), { maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(batches, goals, async (sent, tracked) => {
        const { environment_id } = await openEnvironment(server)
        const on = [reportingOf(server, environment_id), reportingOf(twin, environment_id)]
        const pick = (index: number) => on[index % 2] as Reporting
        await Promise.all([
          ...sent.map((batch, index) => accepted(pick(index).ingest(batch))),
          ...tracked.map((batch, index) => accepted(pick(index).track(batch))),
        ])
        const stored = await storedRollups(server.database, environment_id)
        expect(stored).toEqual(await recountReports(server.database, environment_id))
        expect((await pick(0).list()).total).toBe(sent.flat().length)
      }),
      { numRuns: 25 },
    )
  })

  it('a version grows with each transaction that adds to a flag or goal, and only then', async () => {
    const reports = await openEnvironment(server)
    const version = async () => {
      const { rows } = await server.database.pool.query(
        `select flag_key as key, version from impression_flags where environment_id = $1
         union all select event_key, version from goals where environment_id = $1 order by 1`,
        [reports.environment_id],
      )
      return rows.map(({ key, version }) => `${key} ${version}`)
    }
    await reports.ingest([
      { flag_key: 'a', value: 'x' },
      { flag_key: 'a', value: 'y' },
    ])
    await reports.ingest([{ flag_key: 'b', value: 'x' }])
    await reports.ingest([{ flag_key: 'a', value: 'x' }])
    await reports.track([{ event_key: 'g' }])
    expect(await version()).toEqual(['a 2', 'b 3', 'g 1'])
  })
})

describe('ids of reports', () => {
  it('polling by since_id never misses an impression while eight writers write on two instances', async () => {
    const { environment_id } = await openEnvironment(server)
    const on = [reportingOf(server, environment_id), reportingOf(twin, environment_id)]
    let isWriting = true
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      for (let batch = 0; batch < 30; batch += 1) {
        const items = Array.from({ length: 1 + ((writer + batch) % 7) }, (_, index) => ({
          flag_key: 'polled',
          value: `${writer}-${batch}-${index}`,
        }))
        await accepted((on[writer % 2] as Reporting).ingest(items))
      }
    })
    const seen: { id: number; value: string }[] = []
    const polling = (async () => {
      for (let isLast = false; !isLast; ) {
        isLast = !isWriting
        for (let isFull = true; isFull; ) {
          const page = await (on[seen.length % 2] as Reporting).list({
            since_id: seen.at(-1)?.id ?? 0,
            limit: 200,
          })
          seen.push(...page.items)
          isFull = page.items.length === 200
        }
      }
    })()
    await Promise.all(writers)
    isWriting = false
    await polling
    const { rows } = await server.database.pool.query(
      'select id, value from impressions where environment_id = $1 order by id',
      [environment_id],
    )
    expect(seen.map(({ id, value }) => ({ id, value }))).toEqual(rows)
    expect(new Set(seen.map(({ value }) => value)).size).toBe(seen.length)
  })

  it('ids of reports follow the order of the items', async () => {
    const reports = await openEnvironment(server)
    const values = Array.from({ length: 300 }, (_, index) => String(index))
    await reports.ingest(values.map((value) => ({ flag_key: 'a', value })))
    const page = await reports.list({ since_id: 0, limit: 200 })
    expect(page.items.map(({ value }: { value: string }) => value)).toEqual(values.slice(0, 200))
  })
})

describe('groups of report requests', () => {
  it('a failure of one environment in a group does not affect another', async () => {
    const here = await openEnvironment(server)
    const there = await openEnvironment(server)
    const { pool } = server.database
    const client = await pool.connect()
    try {
      // Storing reports of `here` waits for its counter.
      await client.query('begin')
      await client.query('select from report_counters where environment_id = $1 for update', [
        here.environment_id,
      ])
      const held = here.ingest([{ flag_key: 'a', value: 'x' }])
      await accepted(there.ingest([{ flag_key: 'a', value: 'x' }]))
      await accepted(there.track([{ event_key: 'a' }]))
      await client.query('rollback')
      await accepted(held)
    } finally {
      client.release()
    }
  })

  it('reports and environment writes do not wait for each other', async () => {
    const reports = await openEnvironment(server)
    const { db } = server.database
    await db.transaction().execute(async (tx) => {
      await tx
        .selectFrom('environments')
        .select('id')
        .where('id', '=', reports.environment_id)
        .forNoKeyUpdate()
        .execute()
      await accepted(reports.ingest([{ flag_key: 'a', value: 'x' }]))
    })
  })

  it('reports get 503 with Retry-After when the database refuses them, and later ones are stored', async () => {
    const reports = await openEnvironment(server)
    const { pool } = server.database
    const client = await pool.connect()
    try {
      await client.query('begin')
      await client.query('select from report_counters where environment_id = $1 for update', [
        reports.environment_id,
      ])
      const { headers, status } = await reports.ingest([{ flag_key: 'a', value: 'x' }])
      expect(status).toBe(503)
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
      const waiting = reports.ingest([{ flag_key: 'a', value: 'x' }])
      await client.query('rollback')
      await accepted(waiting)
    } finally {
      client.release()
    }
    expect((await reports.list()).total).toBe(1)
  })
})

describe('deleting environments with reports', () => {
  const TABLES = [
    'impressions',
    'goal_events',
    'impression_values',
    'impression_flags',
    'impression_days',
    'impression_users',
    'goals',
    'goal_users',
    'report_counters',
    'deleted_environments',
  ]
  const leftOf = async (environment_id: string) => {
    const counts = await Promise.all(
      TABLES.map(async (table) => {
        const query = `select count(*)::int as n from ${table} where environment_id = $1`
        const { rows } = await server.database.pool.query(query, [environment_id])
        return [table, rows[0].n] as const
      }),
    )
    return counts.filter(([, count]) => count > 0)
  }
  const fill = async (reports: Reporting) => {
    const users = Array.from({ length: 500 }, (_, index) => `user-${index}`)
    await accepted(reports.ingest(users.map((user_id) => ({ flag_key: 'a', value: 'x', user_id }))))
    await accepted(reports.track(users.map((user_id) => ({ event_key: 'a', user_id }))))
  }

  it('deleting an environment removes all of its reports, and none of another', async () => {
    const other = await openEnvironment(server)
    const gone = await openEnvironment(server)
    await fill(other)
    await fill(gone)
    const path = `/api/projects/${server.project.id}/environments/${gone.environment_id}`
    expect((await server.call({ method: 'DELETE', path })).status).toBe(204)
    expect((await gone.ingest([{ flag_key: 'a', value: 'x' }])).status).toBe(404)
    await eventually(async () => (await leftOf(gone.environment_id)).length === 0)
    expect((await other.list()).total).toBe(500)
  })

  it('deleting a project removes the reports of all its environments', async () => {
    const { body } = await server.call({ path: '/api/projects', body: { name: 'Short-lived' } })
    const ids: string[] = body.environments.map(({ id }: { id: string }) => id)
    for (const id of ids) await fill(reportingOf(server, id))
    expect((await server.call({ method: 'DELETE', path: `/api/projects/${body.id}` })).status).toBe(204)
    await eventually(
      async () => (await Promise.all(ids.map(leftOf))).every((left) => left.length === 0),
      30_000,
    )
  })

  it('deleting an environment removes reports that arrive at the same time', async () => {
    const gone = await openEnvironment(server)
    const on = [gone, reportingOf(twin, gone.environment_id)]
    let isDeleted = false
    const statuses = new Set<number>()
    const senders = Array.from({ length: 6 }, async (_, sender) => {
      do {
        const { status } = await (on[sender % 2] as Reporting).ingest([
          { flag_key: 'a', value: 'x', user_id: `${sender}` },
        ])
        statuses.add(status)
        if (status === 404) return
      } while (!isDeleted)
    })
    await eventually(() => statuses.has(204))
    const path = `/api/projects/${server.project.id}/environments/${gone.environment_id}`
    expect((await server.call({ method: 'DELETE', path })).status).toBe(204)
    isDeleted = true
    await Promise.all(senders)
    expect([...statuses].filter((status) => status !== 204 && status !== 404)).toEqual([])
    await eventually(async () => (await leftOf(gone.environment_id)).length === 0)
  })
})

describe('partitions of reports', () => {
  const partitionsOf = async (owner: TestServer) => {
    const { rows } = await owner.database.pool.query(
      `select relname as name from pg_class join pg_inherits on inhrelid = oid
       where inhparent in ('impressions'::regclass, 'goal_events'::regclass) and relkind = 'r' order by 1`,
    )
    return rows.map(({ name }) => name as string)
  }

  it('partitions exist for today and tomorrow before the server listens, and are created at an unnoticed midnight', async () => {
    const clock = createManualClock('2026-01-05T23:59:59.000Z')
    const own = await startTestServer({ clock })
    expect(await partitionsOf(own)).toEqual([
      'goal_events_20260105',
      'goal_events_20260106',
      'impressions_20260105',
      'impressions_20260106',
    ])
    const reports = reportingOf(own, own.environments.production)
    for (const ms of [0, 1_000, DAY_MS, 3 * DAY_MS]) {
      clock.advance(ms)
      await accepted(reports.ingest([{ flag_key: 'a', value: clock.now().toISOString() }]))
      await accepted(reports.track([{ event_key: 'a' }]))
    }
    expect(await partitionsOf(own)).toContain('impressions_20260110')
    const page = await reports.list()
    expect(page.items.map(({ value }: { value: string }) => value.slice(0, 10))).toEqual([
      '2026-01-10',
      '2026-01-07',
      '2026-01-06',
      '2026-01-05',
    ])
    expect(await reports.list({ limit: 2, offset: 1 })).toEqual({ items: page.items.slice(1, 3), total: 4 })
    const [, , , oldest] = page.items
    expect((await reports.list({ since_id: oldest.id })).items).toEqual(page.items.slice(0, 3).reverse())
    expect((await reports.list({ since_id: page.items[1].id })).items).toEqual([page.items[0]])
    await own.close()
  })

  it('partitions use the time of arrival, and a clock that is behind puts no row before an existing one', async () => {
    const ahead = createManualClock('2026-01-06T00:00:01.000Z')
    const behind = createManualClock('2026-01-05T23:59:58.000Z')
    const one = await startTestServer({ clock: ahead })
    const other = await startTestServer({ clock: behind, database: one.database })
    const { production } = one.environments
    await accepted(
      reportingOf(one, production).ingest([
        { flag_key: 'a', value: '1', evaluated_at: '1999-01-01T00:00:00Z' },
      ]),
    )
    await accepted(reportingOf(other, production).ingest([{ flag_key: 'a', value: '2' }]))
    await accepted(reportingOf(one, production).ingest([{ flag_key: 'a', value: '3' }]))
    const { items } = await reportingOf(one, production).list()
    expect(items.map(({ value }: { value: string }) => value)).toEqual(['3', '2', '1'])
    await other.close()
    await one.close()
  })

  it('partitions older than IMPRESSION_RETENTION_DAYS are dropped by concurrent instances; rollups stay', async () => {
    const clock = createManualClock()
    const env = { IMPRESSION_RETENTION_DAYS: '3' }
    const own = await startTestServer({ clock, env })
    const reports = reportingOf(own, own.environments.production)
    await accepted(reports.ingest([{ flag_key: 'a', value: 'old', user_id: 'ada' }]))
    await accepted(reports.track([{ event_key: 'a', user_id: 'ada' }]))
    clock.advance(3 * DAY_MS)
    await accepted(reports.ingest([{ flag_key: 'a', value: 'new', user_id: 'ada' }]))
    expect((await reports.list()).total).toBe(2)
    clock.advance(DAY_MS)
    expect(await reports.list()).toMatchObject({ total: 1, items: [{ value: 'new' }] })
    expect(await reports.list({ user_id: 'ada' })).toMatchObject({ total: 1, items: [{ value: 'new' }] })

    await accepted(reports.track([{ event_key: 'b' }]))
    const { db } = own.database
    const keepings = await Promise.all(
      [1, 2, 3].map(() =>
        startPartitionKeeping(
          { clock, log: silentLog(), partitions: createReportPartitions(db) },
          { retentionDays: 3, seenUsersDays: 7 },
        ),
      ),
    )
    await Promise.all(keepings.map((keeping) => keeping.close()))
    const left = await eventually(async () => {
      const names = await partitionsOf(own)
      return names.includes('impressions_20260105') ? null : names
    })
    expect(left).toContain('impressions_20260108')
    expect(
      (await own.database.pool.query("select to_regclass('impressions_20260105') as t")).rows[0].t,
    ).toBeNull()
    expect(await reports.list({ since_id: 0 })).toMatchObject({ total: 1, items: [{ value: 'new' }] })
    expect((await reports.read('/impressions/stats'))[0]).toMatchObject({ total: 2, unique_users: 1 })
    expect((await reports.read('/events/keys'))[0]).toMatchObject({ total: 1, unique_users: 1 })
    await accepted(reports.ingest([{ flag_key: 'a', value: 'newer', user_id: 'ada' }]))
    expect((await reports.list()).total).toBe(2)
    await own.close()
  })

  it.each([
    ['runs ahead of what arrived', '2026-01-05T12:00:00.000Z', 100, 5],
    ["and what arrived run ahead of the database's", '2090-01-05T12:00:00.000Z', 0, 3],
  ])(
    'partitions are all kept by an instance whose clock %s',
    async (_case, startedAt, daysAhead, retentionDays) => {
      const clock = createManualClock(startedAt)
      const own = await startTestServer({ clock })
      const reports = reportingOf(own, own.environments.production)
      await accepted(reports.ingest([{ flag_key: 'a', value: 'old' }]))
      clock.advance(5 * DAY_MS)
      await accepted(reports.ingest([{ flag_key: 'a', value: 'new' }]))
      const partitions = createReportPartitions(own.database.db)
      const ahead = createManualClock(startedAt)
      ahead.advance((5 + daysAhead) * DAY_MS)
      const keeping = await startPartitionKeeping(
        { clock: ahead, log: silentLog(), partitions },
        { retentionDays, seenUsersDays: 7 },
      )
      await keeping.close()
      const { items } = await reports.list()
      expect(items.map(({ value }: { value: string }) => value)).toEqual(['new', 'old'])
      await own.close()
    },
  )

  it.each(['drop table', 'alter table impressions detach partition'])(
    'partitions that disappear under an instance (%s) are created again, and no report is lost',
    async (remove) => {
      const own = await startTestServer({ clock: createManualClock() })
      const reports = reportingOf(own, own.environments.production)
      await accepted(reports.ingest([{ flag_key: 'a', value: '1' }]))
      await own.database.pool.query(`${remove} impressions_20260105`)
      await accepted(reports.ingest([{ flag_key: 'a', value: '2' }]))
      const { items } = await reports.list()
      expect(items[0]).toMatchObject({ value: '2' })
      await own.close()
    },
  )

  it('partitions that a crashed instance detached are dropped by the next', async () => {
    const clock = createManualClock()
    const own = await startTestServer({ clock })
    const { db, pool } = own.database
    const partitions = createReportPartitions(db)
    await partitions.ensure(['2025-01-01', '2025-01-02'])
    await pool.query('alter table impressions detach partition impressions_20250101')
    expect(await partitions.dropBefore({ reports: '2025-02-01', seenUsers: '2025-02-01' })).toBe(true)
    const { rows } = await pool.query(
      "select relname from pg_class where relname ~ '^(impressions|goal_events)_2025'",
    )
    expect(rows).toEqual([])
    await own.close()
  })
})
