import { CLIENT_NEW_FLAG_KEYS_A_DAY, OTHER_NAME } from '@burgee/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createManualClock } from '../../harness/manual-clock.ts'
import { startTestServer, type TestServer } from '../../harness/start-test-server.ts'
import { createKey } from '../../reports/client-key.ts'
import { recountReports, storedRollups } from '../../reports/recount-reports.ts'
import { openEnvironment, type Reporting, reportingOf } from '../../reports/reporting.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const clock = createManualClock('2026-01-05T12:00:00.000Z')
let server: TestServer
let twin: TestServer
let reports: Reporting
let onTwin: Reporting
let client: { bearer: string }
beforeAll(async () => {
  server = await startTestServer({ clock })
  twin = await startTestServer({ database: server.database, clock })
})
beforeEach(async () => {
  reports = await openEnvironment(server)
  onTwin = reportingOf(twin, reports.environment_id)
  client = await createKey(server, reports.environment_id, 'client')
})
afterAll(async () => {
  await twin.close()
  await server.close()
})

const names = (count: number, prefix: string) => Array.from({ length: count }, (_, n) => `${prefix}-${n}`)
const accepted = async (answer: Promise<{ status: number }>) => expect((await answer).status).toBe(204)
const createFlag = (body: object) =>
  server.call({ path: `/api/environments/${reports.environment_id}/flags`, body })
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
const rowOf = (rows: any[], flag_key: string) => rows.find((row) => row.flag_key === flag_key)

describe('times of reports from client keys', () => {
  const at = (ms: number) => new Date(clock.now().getTime() + ms).toISOString()

  it('times more than 24 hours back or 5 minutes ahead become the time of arrival', async () => {
    const arrival = at(0)
    const times = [-DAY_MS - 1, -DAY_MS, 0, 5 * MINUTE_MS, 5 * MINUTE_MS + 1].map(at)
    await accepted(
      reports.ingest(
        [...times, '1999-01-01T00:00:00Z'].map((evaluated_at, n) => ({
          flag_key: 'a',
          value: String(n),
          evaluated_at,
        })),
        client,
      ),
    )
    const { items } = await reports.list({ since_id: 0 })
    expect(items.map(({ evaluated_at }: { evaluated_at: string }) => evaluated_at)).toEqual([
      arrival,
      times[1],
      arrival,
      times[3],
      arrival,
      arrival,
    ])
  })

  it('goal events of client keys never occurred later than they arrived', async () => {
    const times = [-DAY_MS - 1, -DAY_MS, 4 * MINUTE_MS].map(at)
    const keys = ['old', 'within', 'ahead']
    await accepted(
      reports.track(
        keys.map((event_key, n) => ({ event_key, occurred_at: times[n] })),
        client,
      ),
    )
    const seen = await reports.read('/events/keys')
    expect(seen.map(({ event_key, last_seen }: Record<string, string>) => [event_key, last_seen])).toEqual([
      ['ahead', at(0)],
      ['old', at(0)],
      ['within', times[1]],
    ])
  })

  it('times from server keys and users are kept', async () => {
    const evaluated_at = '1999-01-01T00:00:00.000Z'
    const key = await createKey(server, reports.environment_id, 'server')
    await accepted(reports.ingest([{ flag_key: 'a', value: 'x', evaluated_at }], key))
    await accepted(reports.ingest([{ flag_key: 'a', value: 'x', evaluated_at }]))
    await accepted(reports.track([{ event_key: 'g', occurred_at: evaluated_at }], key))
    const { items } = await reports.list()
    expect(items.map((each: { evaluated_at: string }) => each.evaluated_at)).toEqual([
      evaluated_at,
      evaluated_at,
    ])
    expect((await reports.read('/events/keys'))[0].last_seen).toBe(evaluated_at)
  })

  it('an invented time cannot make an exposure the first of another user', async () => {
    const body = { name: 'x', key: 'x', flag_key: 'colour', goal_event_key: 'bought' }
    await server.call({ path: `/api/environments/${reports.environment_id}/experiments`, body })
    await accepted(reports.ingest([{ flag_key: 'colour', value: 'blue', user_id: 'ada' }]))
    const forged = {
      flag_key: 'colour',
      value: 'green',
      user_id: 'ada',
      evaluated_at: '1999-01-01T00:00:00Z',
    }
    await accepted(reports.ingest([forged], client))
    expect((await reports.read('/experiments/x/results')).variants).toMatchObject([
      { variant: 'blue', exposed: 1 },
    ])
  })
})

describe('CLIENT_REPORTS_PER_MINUTE', () => {
  it('CLIENT_REPORTS_PER_MINUTE refuses a client key beyond so many items a minute, and stores nothing of the batch', async () => {
    const own = await startTestServer({ clock, env: { CLIENT_REPORTS_PER_MINUTE: '10' } })
    const { production } = own.environments
    const at = reportingOf(own, production)
    const key = await createKey(own, production, 'client')
    const items = (count: number) => names(count, 'v').map((value) => ({ flag_key: 'a', value }))
    await accepted(at.ingest(items(6), key))
    await accepted(at.track([{ event_key: 'g' }], key))
    const refused = await at.ingest(items(4), key)
    expect(refused.status).toBe(429)
    expect(refused.body).toEqual({ error: expect.stringContaining('10 reports'), retry_after_seconds: 60 })
    expect(refused.headers.get('retry-after')).toBe('60')
    await accepted(at.ingest(items(3), key))
    expect((await at.track([{ event_key: 'g' }], key)).status).toBe(429)
    // Each key has its own budget; server keys and users have none.
    await accepted(at.ingest(items(9), await createKey(own, production, 'client')))
    await accepted(at.ingest(items(30), { bearer: own.sdkKey }))
    await accepted(at.ingest(items(30)))
    expect((await at.list()).total).toBe(6 + 3 + 9 + 60)
    clock.advance(MINUTE_MS)
    await accepted(at.ingest(items(30), key))
    expect((await at.ingest(items(1), key)).status).toBe(429)
    await own.close()
  })

  it('CLIENT_REPORTS_PER_MINUTE of 0 means no limit', async () => {
    const own = await startTestServer({ env: { CLIENT_REPORTS_PER_MINUTE: '0' } })
    const at = reportingOf(own, own.environments.production)
    const key = await createKey(own, own.environments.production, 'client')
    await accepted(
      at.ingest(
        names(500, 'v').map((value) => ({ flag_key: 'a', value })),
        key,
      ),
    )
    await own.close()
  })
})

describe('flag keys from client keys', () => {
  const BATCH = 60

  it('unknown flag keys are bounded in a day over several instances, and the rest is counted under one name', async () => {
    const invented = names(5 * BATCH, 'invented')
    const batches = Array.from({ length: 5 }, (_, n) => invented.slice(n * BATCH, (n + 1) * BATCH))
    await Promise.all(
      batches.map((keys, n) =>
        accepted(
          (n % 2 ? reports : onTwin).ingest(
            keys.map((flag_key) => ({ flag_key, value: 'true', user_id: flag_key })),
            client,
          ),
        ),
      ),
    )
    const stats = await reports.read('/impressions/stats')
    expect(stats).toHaveLength(CLIENT_NEW_FLAG_KEYS_A_DAY + 1)
    expect(stats[0]).toMatchObject({ flag_key: OTHER_NAME, total: 100, true_count: 100, unique_users: 100 })
    const { environment_id } = reports
    const stored = await storedRollups(server.database, environment_id)
    expect(stored).toEqual(await recountReports(server.database, environment_id))
  })

  it('flags of the environment and keys that were reported before do not count as unknown', async () => {
    await accepted(reports.ingest([{ flag_key: 'retired', value: 'true' }]))
    const invented = names(300, 'invented').map((flag_key) => ({ flag_key, value: 'true' }))
    await accepted(reports.ingest(invented, client))
    await createFlag({ key: 'real', is_enabled: true })
    await createFlag({ key: 'archived', is_enabled: true })
    const path = `/api/environments/${reports.environment_id}/flags/archived/archive`
    expect((await server.call({ path, method: 'POST' })).status).toBe(200)
    for (const at of [reports, onTwin]) {
      const genuine = ['real', 'archived', 'retired', 'never-heard-of']
      await accepted(
        at.ingest(
          genuine.map((flag_key) => ({ flag_key, value: 'true' })),
          client,
        ),
      )
    }
    const stats = await reports.read('/impressions/stats')
    expect(rowOf(stats, 'real').total).toBe(2)
    expect(rowOf(stats, 'archived').total).toBe(2)
    expect(rowOf(stats, 'retired').total).toBe(3)
    expect(rowOf(stats, 'never-heard-of')).toBeUndefined()
  })

  it('unknown flag keys are accepted again on the next day', async () => {
    const send = (prefix: string) =>
      accepted(
        reports.ingest(
          names(250, prefix).map((flag_key) => ({ flag_key, value: 'x' })),
          client,
        ),
      )
    await send('monday')
    clock.advance(DAY_MS)
    await send('tuesday')
    const stats = await reports.read('/impressions/stats')
    expect(stats).toHaveLength(2 * CLIENT_NEW_FLAG_KEYS_A_DAY + 1)
    expect(rowOf(stats, OTHER_NAME).total).toBe(100)
  })

  it('unknown flag keys from server keys and users are not bounded', async () => {
    const key = await createKey(server, reports.environment_id, 'server')
    await accepted(
      reports.ingest(
        names(400, 'a').map((flag_key) => ({ flag_key, value: 'x' })),
        key,
      ),
    )
    await accepted(reports.ingest(names(400, 'b').map((flag_key) => ({ flag_key, value: 'x' }))))
    expect(await reports.read('/impressions/stats')).toHaveLength(800)
  })
})

describe('values from client keys', () => {
  const exposure = (flag_key: string) => reports.read(`/impressions/exposure?flag_key=${flag_key}`)

  it('new values are bounded for each flag in a day over several instances, and the rest is counted under one name', async () => {
    await createFlag({ key: 'colour', is_enabled: true, flag_type: 'string', default_value: 'blue' })
    await createFlag({ key: 'size', is_enabled: true, flag_type: 'string', default_value: 'm' })
    const send = (at: Reporting, prefix: string) =>
      accepted(
        at.ingest(
          names(150, prefix).map((value) => ({ flag_key: 'colour', value })),
          client,
        ),
      )
    await Promise.all([send(reports, 'a'), send(onTwin, 'b')])
    const { total_impressions, variants } = await exposure('colour')
    expect(total_impressions).toBe(300)
    expect(variants).toHaveLength(201)
    expect(variants[0]).toMatchObject({ value: OTHER_NAME, impressions: 100 })
    await accepted(
      reports.ingest(
        names(5, 'c').map((value) => ({ flag_key: 'size', value })),
        client,
      ),
    )
    expect((await exposure('size')).variants).toHaveLength(5)
  })

  it('values in the definition of the flag are always accepted', async () => {
    await createFlag({
      key: 'colour',
      is_enabled: true,
      flag_type: 'string',
      default_value: 'blue',
      disabled_value: 'grey',
      variants: [{ value: 'green', weight: 1 }],
      rules: [{ attribute: 'plan', operator: 'equals', values: ['pro'], variant: 'gold' }],
    })
    const invented = names(450, 'x').map((value) => ({ flag_key: 'colour', value }))
    await accepted(reports.ingest(invented, client))
    const genuine = ['blue', 'grey', 'green', 'gold', 'true', 'false', 'pink']
    await accepted(
      onTwin.ingest(
        genuine.map((value) => ({ flag_key: 'colour', value })),
        client,
      ),
    )
    const { variants } = await exposure('colour')
    const listed = variants.map(({ value }: { value: string }) => value)
    expect(listed).toEqual(expect.arrayContaining(genuine.slice(0, -1)))
    expect(listed).not.toContain('pink')
    expect(variants[0]).toMatchObject({ value: OTHER_NAME, impressions: 251 })
  })

  it('values of all unknown keys share one bound', async () => {
    const items = names(20, 'k').flatMap((flag_key) => names(20, 'v').map((value) => ({ flag_key, value })))
    await accepted(reports.ingest(items, client))
    const { rows } = await server.database.pool.query(
      `select count(*) filter (where value <> $2) as own from impression_values where environment_id = $1`,
      [reports.environment_id, OTHER_NAME],
    )
    expect(rows[0].own).toBe(200)
  })
})

describe('event keys from client keys', () => {
  it('new event keys are bounded in a day over several instances; those of experiments are always accepted', async () => {
    const send = (at: Reporting, keys: readonly string[]) =>
      accepted(
        at.track(
          keys.map((event_key) => ({ event_key, user_id: event_key })),
          client,
        ),
      )
    await Promise.all([send(reports, names(150, 'a')), send(onTwin, names(150, 'b'))])
    const body = { name: 'x', key: 'x', flag_key: 'colour', goal_event_key: 'bought' }
    await server.call({ path: `/api/environments/${reports.environment_id}/experiments`, body })
    await send(reports, ['bought', 'another'])
    await accepted(reports.track([{ event_key: 'by-a-person' }]))
    const keys = await reports.read('/events/keys')
    expect(keys).toHaveLength(200 + 3)
    expect(keys[0]).toMatchObject({ event_key: OTHER_NAME, total: 101, unique_users: 101 })
    const { environment_id } = reports
    const stored = await storedRollups(server.database, environment_id)
    expect(stored).toEqual(await recountReports(server.database, environment_id))
  })
})

describe('bounded responses about reports', () => {
  const NAMES = 1_300
  const send = async (ingest: (items: unknown) => Promise<{ status: number }>, items: readonly object[]) => {
    for (let at = 0; at < items.length; at += 500) await accepted(ingest(items.slice(at, at + 500)))
  }

  it('statistics list flags of the environment and the 1,000 most frequent other keys, and sum up the rest', async () => {
    await createFlag({ key: 'zz-real', is_enabled: true })
    const items = names(NAMES, 'k').map((flag_key) => ({ flag_key, value: 'true', user_id: 'ada' }))
    await send(reports.ingest, items)
    await send(reports.ingest, items.slice(0, 1_100))
    await accepted(reports.ingest([{ flag_key: 'zz-real', value: 'false' }]))
    const stats = await reports.read('/impressions/stats')
    expect(stats).toHaveLength(1_002)
    expect(stats[0]).toMatchObject({ flag_key: OTHER_NAME, total: 200 + 200, true_count: 400 })
    expect(stats.at(-1)).toMatchObject({ flag_key: 'zz-real', total: 1, false_count: 1 })
    expect(stats.reduce((sum: number, { total }: { total: number }) => sum + total, 0)).toBe(2_401)
    const activity = await reports.read('/impressions/activity')
    expect(activity).toHaveLength(1_002)
    expect(activity[0]).toMatchObject({ flag_key: OTHER_NAME, days: [{ count: 400 }] })
  })

  it('statistics list the event keys of experiments and the 1,000 most frequent others, and sum up the rest', async () => {
    const body = { name: 'x', key: 'x', flag_key: 'colour', goal_event_key: 'zz-goal' }
    await server.call({ path: `/api/environments/${reports.environment_id}/experiments`, body })
    await send(
      reports.track,
      names(NAMES, 'e').map((event_key) => ({ event_key, user_id: 'ada' })),
    )
    await accepted(reports.track([{ event_key: 'zz-goal' }]))
    const keys = await reports.read('/events/keys')
    expect(keys).toHaveLength(1_002)
    expect(keys[0]).toMatchObject({ event_key: OTHER_NAME, total: 300 })
    expect(keys.at(-1)).toMatchObject({ event_key: 'zz-goal', total: 1 })
  })

  it('the exposure of one flag stays small when its values are long, in the values and on each day', async () => {
    const long = names(300, 'v').map((name) => name.padEnd(8_192, 'x'))
    await send(
      reports.ingest,
      long.map((value) => ({ flag_key: 'a', value, user_id: value.slice(0, 9) })),
    )
    const exposure = await reports.read('/impressions/exposure?flag_key=a&days=90')
    expect(JSON.stringify(exposure).length).toBeLessThan(3_000_000)
    expect(exposure).toMatchObject({ total_impressions: 300, total_users: 300 })
    const { timeline, variants } = exposure
    const sumOf = (rows: Record<string, number>[], field: string) =>
      rows.reduce((sum, row) => sum + (row[field] ?? 0), 0)
    expect(variants.at(-1).value).toBe(OTHER_NAME)
    expect([sumOf(variants, 'impressions'), sumOf(variants, 'unique_users')]).toEqual([300, 300])
    expect(timeline[0].value).toBe(OTHER_NAME)
    expect(sumOf(timeline, 'count')).toBe(300)
  })
})
