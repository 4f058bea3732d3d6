import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { eventually } from '../../harness/eventually.ts'
import { startTestServer, type TestServer } from '../../harness/start-test-server.ts'
import { createKey } from '../../reports/client-key.ts'
import { recountReports, storedRollups } from '../../reports/recount-reports.ts'
import { openEnvironment, type Reporting, reportingOf } from '../../reports/reporting.ts'

let server: TestServer
let twin: TestServer
let reports: Reporting
beforeAll(async () => {
  server = await startTestServer()
  twin = await startTestServer({ database: server.database })
})
beforeEach(async () => {
  reports = await openEnvironment(server)
})
afterAll(async () => {
  await twin.close()
  await server.close()
})

type Query = Readonly<Record<string, string>>
const remove = (query: Query, environment_id = reports.environment_id, on = server) =>
  on.call({
    method: 'DELETE',
    path: `/api/environments/${environment_id}/reports?${new URLSearchParams(query)}`,
  })
const accepted = async (answer: Promise<{ status: number }>) => expect((await answer).status).toBe(204)
const saw = (flag_key: string, user_id: string | null, value = 'true') => ({ flag_key, user_id, value })
const reached = (event_key: string, user_id: string) => ({ event_key, user_id })
/** Returns whether nothing is left to be removed in the background. */
const isSettled = async () => {
  const { rows } = await server.database.pool.query(
    `select (select count(*) from report_deletions where environment_id = $1)
       + (select count(*) from report_counters where environment_id = $1 and is_deleting) as left_over`,
    [reports.environment_id],
  )
  return Number(rows[0].left_over) === 0
}
/** Expects rollups to equal a recount, except for times and ids that are upper bounds. */
async function requireExactRollups(environment_id = reports.environment_id) {
  const bounds = /,?"(last_seen|last_id)":("[^"]*"|\d+)/g
  const plain = (found: Record<string, string[]>) =>
    Object.fromEntries(
      Object.entries(found).map(([name, rows]) => [name, rows.map((row) => row.replace(bounds, ''))]),
    )
  const stored = plain(await storedRollups(server.database, environment_id))
  expect(stored).toEqual(plain(await recountReports(server.database, environment_id)))
}

describe('DELETE /reports', () => {
  it("deleting a flag's reports removes its impressions and their counts, and nothing else", async () => {
    await accepted(
      reports.ingest([saw('a', 'ada'), saw('a', 'eve', 'false'), saw('a', null), saw('b', 'ada')]),
    )
    await accepted(reports.track([reached('a', 'ada')]))
    const answer = await remove({ flag_key: 'a' })
    expect(answer).toMatchObject({ status: 200, body: { reports: 3, complete: true } })
    expect(await reports.list()).toMatchObject({ total: 1, items: [{ flag_key: 'b' }] })
    expect(await reports.read('/impressions/stats')).toMatchObject([
      { flag_key: 'b', total: 1, unique_users: 1 },
    ])
    expect(await reports.read('/impressions/activity')).toMatchObject([{ flag_key: 'b' }])
    expect(await reports.read('/impressions/exposure?flag_key=a')).toMatchObject({
      total_users: 0,
      variants: [],
    })
    expect(await reports.read('/events/keys')).toMatchObject([{ event_key: 'a', total: 1 }])
    await requireExactRollups()
  })

  it("deleting an event key's reports removes its goal events and their counts, and nothing else", async () => {
    await accepted(reports.track([reached('a', 'ada'), reached('a', 'eve'), reached('b', 'ada')]))
    await accepted(reports.ingest([saw('a', 'ada')]))
    expect((await remove({ event_key: 'a' })).body).toEqual({ reports: 2, complete: true })
    expect(await reports.read('/events/keys')).toMatchObject([{ event_key: 'b', total: 1, unique_users: 1 }])
    expect((await reports.list()).total).toBe(1)
    await requireExactRollups()
  })

  it("deleting a user's reports removes their rows and hashes, and subtracts them from users, values, days and totals", async () => {
    await accepted(
      reports.ingest([
        saw('a', 'ada'),
        saw('a', 'ada'),
        saw('a', 'eve'),
        saw('a', null),
        saw('a', 'ada', 'only hers'),
        saw('b', 'ada'),
      ]),
    )
    await accepted(
      reports.track([reached('g', 'ada'), reached('g', 'ada'), reached('g', 'eve'), reached('h', 'ada')]),
    )
    expect((await remove({ user_id: 'ada' })).body).toEqual({ reports: 7, complete: true })
    expect((await reports.list({ user_id: 'ada' })).total).toBe(0)
    expect(await reports.read('/impressions/stats')).toMatchObject([
      { flag_key: 'a', total: 2, unique_users: 1 },
    ])
    expect(await reports.read('/impressions/exposure?flag_key=a')).toMatchObject({
      total_impressions: 2,
      total_users: 1,
      variants: [{ value: 'true', impressions: 2, unique_users: 1 }],
    })
    expect(await reports.read('/events/keys')).toMatchObject([{ event_key: 'g', total: 1, unique_users: 1 }])
    await requireExactRollups()
  })

  it("deleting a user's reports accepts any text as name, and does not affect similar names", async () => {
    const odd = `${'ä'.repeat(500)}?&%=#\n'"`
    await accepted(reports.ingest([saw('a', odd), saw('a', ''), saw('a', 'a')]))
    expect((await remove({ user_id: odd })).body.reports).toBe(1)
    expect((await remove({ user_id: '' })).body.reports).toBe(1)
    expect(await reports.list()).toMatchObject({ total: 1, items: [{ user_id: 'a' }] })
    await requireExactRollups()
  })

  it('deleting keeps what cannot be attributed: counts of impressions whose rows are too old', async () => {
    await accepted(reports.ingest([saw('a', 'ada'), saw('a', 'eve')]))
    await server.database.pool.query(
      `delete from impressions where environment_id = $1 and user_id = 'ada'`,
      [reports.environment_id],
    )
    expect((await remove({ user_id: 'ada' })).body).toEqual({ reports: 0, complete: true })
    expect(await reports.read('/impressions/stats')).toMatchObject([{ total: 2, unique_users: 1 }])
  })

  it('deleting missing reports does nothing, also twice', async () => {
    await accepted(reports.ingest([saw('a', 'ada')]))
    for (const query of [{ flag_key: 'x' }, { event_key: 'x' }, { user_id: 'x' }]) {
      expect((await remove(query)).body).toEqual({ reports: 0, complete: true })
    }
    expect((await remove({ flag_key: 'a' })).body.reports).toBe(1)
    expect((await remove({ flag_key: 'a' })).body.reports).toBe(0)
    await requireExactRollups()
  })

  it.each([
    [{}],
    [{ flag_key: 'a', user_id: 'ada' }],
    [{ flag_key: '' }],
    [{ event_key: 'k'.repeat(101) }],
    [{ user_id: 'u'.repeat(1_025) }],
  ])('deleting reports with %j is 422 and deletes nothing', async (query: Query) => {
    await accepted(reports.ingest([saw('a', 'ada')]))
    expect((await remove(query)).status).toBe(422)
    expect((await reports.list()).total).toBe(1)
  })

  it('deleting reports is 404 for an unknown environment, and 403 for client keys', async () => {
    expect((await remove({ flag_key: 'a' }, randomUUID())).status).toBe(404)
    const client = await createKey(server, reports.environment_id, 'client')
    const path = `/api/environments/${reports.environment_id}/reports?flag_key=a`
    expect((await server.call({ method: 'DELETE', path, as: client })).status).toBe(403)
  })

  it('deleting reports is audited: flags and event keys by name, users only by their keyed hash', async () => {
    await accepted(reports.ingest([saw('a', 'zoe@example.com')]))
    await accepted(reports.track([reached('g', 'zoe@example.com')]))
    for (const query of [{ user_id: 'zoe@example.com' }, { flag_key: 'a' }, { event_key: 'g' }])
      await remove(query)
    const path = `/api/projects/${server.project.id}/audit?environment_id=${reports.environment_id}`
    const { body } = await server.call({ path })
    const entries = body.filter(({ metadata }: { metadata?: { resource?: string } }) =>
      metadata?.resource?.startsWith('reports:'),
    )
    expect(entries).toMatchObject([
      { action: 'delete', metadata: { resource: 'reports:event:g' }, before_data: { reports: 0 } },
      { action: 'delete', metadata: { resource: 'reports:flag:a' } },
      { action: 'delete', metadata: { resource: expect.stringMatching(/^reports:user:[0-9a-f]{16}$/) } },
    ])
    expect(JSON.stringify(entries)).not.toContain('zoe@example.com')
  })
})

describe('an experiment after a deletion', () => {
  it('after a deletion an experiment counts what was reported since, however often it was counted before', async () => {
    const body = { name: 'x', key: 'x', flag_key: 'colour', goal_event_key: 'bought' }
    await server.call({ path: `/api/environments/${reports.environment_id}/experiments`, body })
    const results = async () => {
      const { total_converted, total_exposed } = await reports.read('/experiments/x/results')
      return [total_exposed, total_converted]
    }
    await accepted(reports.ingest([saw('colour', 'ada', 'blue'), saw('colour', 'eve', 'green')]))
    await accepted(reports.track([reached('bought', 'ada'), reached('bought', 'eve')]))
    expect(await results()).toEqual([2, 2])
    await remove({ event_key: 'bought' })
    expect(await results()).toEqual([2, 0])
    await accepted(reports.track([reached('bought', 'ada')]))
    expect(await results()).toEqual([2, 1])
    await remove({ user_id: 'ada' })
    expect(await results()).toEqual([1, 0])
    await remove({ flag_key: 'colour' })
    expect(await results()).toEqual([0, 0])
    await accepted(reports.ingest([saw('colour', 'eve', 'blue')]))
    expect(await results()).toEqual([1, 0])
  })
})

describe('a deletion in several steps', () => {
  it('another instance completes a deletion that a crash interrupted, and no reports are visible meanwhile', async () => {
    await accepted(reports.ingest([saw('a', 'ada'), saw('b', 'ada')]))
    await accepted(reports.track([reached('g', 'ada')]))
    const { pool } = server.database
    const { environment_id } = reports
    // The state of `deleteReports` when its process ends right after the commit.
    await pool.query(
      `update impression_flags set deleted_to = 2, unique_users = 0 where environment_id = $1 and flag_key = 'a'`,
      [environment_id],
    )
    await pool.query(`update report_counters set is_deleting = true where environment_id = $1`, [
      environment_id,
    ])
    await pool.query(
      `insert into report_deletions (environment_id, subject, name, impressions_to, goal_events_to, cursor_id)
       values ($1, 'flag', 'a', 2, null, -1), ($1, 'user', 'ada', 2, 1, -1)`,
      [environment_id],
    )
    expect(await reports.read('/impressions/stats')).toMatchObject([{ flag_key: 'b' }])
    await eventually(isSettled)
    expect((await reports.list()).total).toBe(0)
    expect(await reports.read('/impressions/stats')).toEqual([])
    await requireExactRollups()
  })

  it('a large deletion takes many steps, and counts all of them', async () => {
    const users = Array.from({ length: 500 }, (_, n) => `u${n}`)
    for (let flag = 0; flag < 14; flag += 1) {
      await accepted(reports.ingest(users.map((user, n) => saw('a', `${user}-${flag}`, String(n % 2)))))
      await accepted(reports.ingest(users.map((_, n) => saw('b', 'busy', String(n % 2)))))
    }
    expect((await remove({ flag_key: 'a' })).body.reports).toBe(7_000)
    expect((await remove({ user_id: 'busy' })).body.reports).toBe(7_000)
    await eventually(isSettled)
    expect((await reports.list()).total).toBe(0)
    await requireExactRollups()
  })

  it('a deletion ends with its environment', async () => {
    await accepted(reports.ingest([saw('a', 'ada')]))
    await server.database.pool.query(
      `insert into report_deletions (environment_id, subject, name, impressions_to, cursor_id)
       values ($1, 'flag', 'a', 1000000000, 0)`,
      [reports.environment_id],
    )
    const path = `/api/projects/${server.project.id}/environments/${reports.environment_id}`
    expect((await server.call({ method: 'DELETE', path })).status).toBe(204)
    await eventually(isSettled, 30_000)
  })

  it('a deletion keeps every report that arrives meanwhile, on any instance', async () => {
    const users = Array.from({ length: 500 }, (_, n) => `u${n}`)
    const on = [reports, reportingOf(twin, reports.environment_id)] as const
    await accepted(reports.ingest(users.map((user) => saw('a', user))))
    await accepted(reports.track(users.map((user) => reached('g', user))))
    let isOver = false
    const writers = Array.from({ length: 4 }, async (_, writer) => {
      for (let n = 0; !isOver; n += 1) {
        const some = users.slice((n * 37) % 400, ((n * 37) % 400) + 40)
        await accepted(
          (on[writer % 2] as Reporting).ingest(some.map((user) => saw('a', user, String(n % 3)))),
        )
        await accepted((on[writer % 2] as Reporting).track(some.map((user) => reached('g', user))))
      }
    })
    const queries: Query[] = [{ flag_key: 'a' }, { user_id: 'u40' }, { event_key: 'g' }, { user_id: 'u100' }]
    for (let round = 0; round < 3; round += 1) {
      const answers = await Promise.all(
        queries.map((query, n) => remove(query, reports.environment_id, n % 2 ? twin : server)),
      )
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    }
    isOver = true
    await Promise.all(writers)
    await eventually(isSettled)
    await requireExactRollups()
  })
})

describe('rollups', () => {
  const user = fc.constantFrom('u1', 'u2', 'u3', '', null)
  const impression = fc.record({
    flag_key: fc.constantFrom('a', 'b'),
    user_id: user,
    value: fc.constantFrom('true', 'false', 'x'),
    evaluated_at: fc
      .integer({ min: 0, max: 60 })
      .map((h) => new Date(Date.UTC(2026, 0, 1) + h * 3_600_000).toISOString()),
  })
  const goal = fc.record({
    event_key: fc.constantFrom('a', 'g'),
    user_id: user,
    occurred_at: fc
      .integer({ min: 0, max: 60 })
      .map((h) => new Date(Date.UTC(2026, 0, 1) + h * 3_600_000).toISOString()),
  })
  const step = fc.oneof(
    fc
      .array(impression, { minLength: 1, maxLength: 20 })
      .map((items) => ({ kind: 'ingest' as const, items })),
    fc.array(goal, { minLength: 1, maxLength: 20 }).map((items) => ({ kind: 'track' as const, items })),
    fc
      .constantFrom<Query>(
        { flag_key: 'a' },
        { flag_key: 'b' },
        { event_key: 'g' },
        { user_id: 'u1' },
        { user_id: '' },
      )
      .map((query) => ({ kind: 'remove' as const, query })),
  )

  it('rollups equal a recount of the rows after any reports and deletions, in sequence or concurrent', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 14 }),
        fc.boolean(),
        async (steps, areAtOnce) => {
          const { environment_id } = await openEnvironment(server)
          const on = [reportingOf(server, environment_id), reportingOf(twin, environment_id)]
          const run = async (each: (typeof steps)[number], at: number) => {
            const { status } =
              each.kind === 'remove'
                ? await remove(each.query, environment_id, at % 2 ? twin : server)
                : await (on[at % 2] as Reporting)[each.kind](each.items)
            expect(status).toBe(each.kind === 'remove' ? 200 : 204)
          }
          if (areAtOnce) await Promise.all(steps.map(run))
          else for (const [at, each] of steps.entries()) await run(each, at)
          await requireExactRollups(environment_id)
        },
      ),
      { numRuns: 30 },
    )
  })
})
