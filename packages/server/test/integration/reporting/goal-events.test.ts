import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createManualClock } from '../../harness/manual-clock.ts'
import { startTestServer, type TestServer } from '../../harness/start-test-server.ts'
import { openEnvironment, type Reporting, reportingOf } from '../../reports/reporting.ts'

const NOW = '2026-03-02T12:00:00.000Z'
const clock = createManualClock(NOW)
let server: TestServer
let reports: Reporting
beforeAll(async () => {
  server = await startTestServer({ clock })
})
beforeEach(async () => {
  reports = await openEnvironment(server)
})
afterAll(() => server.close())

const storedEvents = async () => {
  const { rows } = await server.database.pool.query(
    'select event_key, user_id, value, context, occurred_at from goal_events where environment_id = $1 order by id',
    [reports.environment_id],
  )
  return rows
}

describe('POST /events', () => {
  it('goal events respond with 204 and store key, user, value, context and time', async () => {
    const event = {
      event_key: 'order',
      user_id: 'ada',
      value: 59.9,
      context: { currency: 'EUR' },
      occurred_at: '2026-03-01T10:00:00.250Z',
    }
    const { body, status } = await reports.track([event])
    expect({ body, status }).toEqual({ body: '', status: 204 })
    expect(await storedEvents()).toEqual([{ ...event, occurred_at: '2026-03-01T10:00:00.250Z' }])
  })

  it('goal events without optional fields are anonymous, without value and context, now', async () => {
    await reports.track([
      { event_key: 'a' },
      { event_key: 'a', user_id: null, value: null, context: null, occurred_at: null },
    ])
    const plain = { event_key: 'a', user_id: null, value: null, context: null, occurred_at: NOW }
    expect(await storedEvents()).toEqual([plain, plain])
  })

  it('future goal events are clamped to the server clock, and only those', async () => {
    const times = [
      '2026-03-02T12:00:00.001Z',
      '2099-01-01T00:00:00+05:00',
      '2026-03-02T11:59:59.999Z',
      '1999-12-31T23:59:60Z',
    ]
    await reports.track(times.map((occurred_at) => ({ event_key: 'a', occurred_at })))
    expect((await storedEvents()).map(({ occurred_at }) => occurred_at)).toEqual([
      NOW,
      NOW,
      '2026-03-02T11:59:59.999Z',
      '2000-01-01T00:00:00.000Z',
    ])
  })

  it('goal events with a missing, empty or long key are skipped, and the others stored', async () => {
    const { status } = await reports.track([
      {},
      { event_key: null },
      { event_key: '' },
      { event_key: 'k'.repeat(101) },
      { event_key: 'k'.repeat(100) },
      { event_key: '😀'.repeat(100) },
      { event_key: '😀'.repeat(101) },
    ])
    expect(status).toBe(204)
    expect((await storedEvents()).map(({ event_key }) => event_key)).toEqual([
      'k'.repeat(100),
      '😀'.repeat(100),
    ])
    expect((await reports.track([{ event_key: '' }])).status).toBe(204)
  })

  it('a batch of goal events has 0 to 500 items, and 501 are 413', async () => {
    expect((await reports.track([])).status).toBe(204)
    expect((await reports.track(Array.from({ length: 500 }, () => ({ event_key: 'a' })))).status).toBe(204)
    expect((await reports.track(Array.from({ length: 501 }, () => 1))).status).toBe(413)
  })

  it.each([
    [{ event_key: 1 }, '/1/event_key'],
    [{ event_key: 'a', user_id: 1 }, '/1/user_id'],
    [{ event_key: 'a', value: '1' }, '/1/value'],
    [{ event_key: 'a', value: true }, '/1/value'],
    [{ event_key: 'a', context: [] }, '/1/context'],
    [{ event_key: 'a', occurred_at: 'now' }, '/1/occurred_at'],
    [7, '/1'],
  ])('goal events with %j are 422 with the index, and nothing is stored', async (event, path) => {
    const { body, status } = await reports.track([{ event_key: 'a' }, event])
    expect(status).toBe(422)
    expect(body.details.map((detail: { path: string }) => detail.path)).toContain(path)
    expect(await storedEvents()).toEqual([])
  })

  it('goal events with a value that is not a finite number are refused', async () => {
    const path = `/api/environments/${reports.environment_id}/events`
    const headers = { 'content-type': 'application/json' }
    const body = '[{"event_key":"a","value":1e400}]'
    expect((await server.call({ path, method: 'POST', body, headers })).status).toBe(422)
  })

  it('goal events of an unknown environment are 404', async () => {
    expect((await reportingOf(server, randomUUID()).track([{ event_key: 'a' }])).status).toBe(404)
  })
})

describe('GET /events/keys', () => {
  it('the event keys have for each goal its events, its users without anonymous ones, and the latest time', async () => {
    await reports.track([
      { event_key: 'order', user_id: 'ada', occurred_at: '2026-03-01T00:00:00Z' },
      { event_key: 'order', user_id: 'ada', occurred_at: '2026-02-01T00:00:00Z' },
      { event_key: 'order', user_id: 'eve', occurred_at: '2026-02-02T00:00:00Z' },
      { event_key: 'order', occurred_at: '2026-02-02T00:00:00Z' },
      { event_key: 'Basket', occurred_at: '2099-02-02T00:00:00Z' },
    ])
    await reports.track([{ event_key: 'order', user_id: 'eve', occurred_at: '2026-02-28T00:00:00Z' }])
    expect(await reports.read('/events/keys')).toEqual([
      { event_key: 'Basket', total: 1, unique_users: 0, last_seen: NOW },
      { event_key: 'order', total: 5, unique_users: 2, last_seen: '2026-03-01T00:00:00.000Z' },
    ])
  })

  it('the event keys are empty without reports', async () => {
    expect(await reports.read('/events/keys')).toEqual([])
  })
})
