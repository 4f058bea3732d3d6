import { randomUUID } from 'node:crypto'
import type { ScheduledChange } from '@burgee/contract'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createEnvironmentCalls, type EnvironmentCalls, typesOf } from '../../governance/environment-calls.ts'
import { createPeople, type People } from '../../governance/people.ts'
import { AUDIT_TRACE } from '../../harness/audit-trace.ts'
import { createTestDatabase } from '../../harness/database.ts'
import { eventually } from '../../harness/eventually.ts'
import { createManualClock } from '../../harness/manual-clock.ts'
import { readStream } from '../../harness/read-stream.ts'
import { type As, startTestServer, type TestServer } from '../../harness/start-test-server.ts'

const MINUTE_MS = 60_000
const FAR_AHEAD = '9999-12-31T23:59:59Z'

/** One clock for all instances: nothing becomes due before a test advances it. */
const clock = createManualClock()
let server: TestServer
let people: People
let production: EnvironmentCalls
let staging: EnvironmentCalls
let key: string
let count = 0

beforeAll(async () => {
  server = await startTestServer({ clock })
  people = await createPeople(server)
  production = createEnvironmentCalls(server, server.environments.production)
  staging = createEnvironmentCalls(server, server.environments.staging)
})
afterAll(() => server.close())
beforeEach(async () => {
  count += 1
  key = `flag-${count}`
  await production.put({ key })
})

/** Returns the time so many minutes from now, by the server's clock. */
const inMinutes = (minutes: number): string =>
  new Date(clock.now().getTime() + minutes * MINUTE_MS).toISOString()

const schedule = (body: unknown, as: As = people.editor.as, flag_key = key) =>
  production.send('POST', `/flags/${flag_key}/scheduled-changes`, as, body)

/** Stores a change of the flag, due in so many minutes. */
async function scheduled(
  patch: object,
  minutes = 1,
  { at = production, flag_key = key }: { at?: EnvironmentCalls; flag_key?: string } = {},
): Promise<ScheduledChange> {
  const body = { scheduled_at: inMinutes(minutes), patch }
  const answer = await at.send('POST', `/flags/${flag_key}/scheduled-changes`, people.editor.as, body)
  expect(answer.status).toBe(200)
  return answer.body
}

const list = async (at = production): Promise<ScheduledChange[]> =>
  (await at.send('GET', '/scheduled-changes', 'admin')).body
const listOfFlag = async (): Promise<ScheduledChange[]> =>
  (await production.send('GET', `/flags/${key}/scheduled-changes`, 'admin')).body
const find = async (id: string, at = production) => (await list(at)).find((change) => change.id === id)
const withdraw = (id: string, as: As = people.editor.as, at = production) =>
  at.send('DELETE', `/scheduled-changes/${id}`, as)
const executed = (id: string, at = production) =>
  eventually(async () => {
    const change = await find(id, at)
    return change?.executed_at ? change : null
  })
const flag = async () => (await production.get(key)).body

/** Returns the log entries of one scheduled change's execution. */
const entriesOf = async (id: string, at = production, flag_key = key) =>
  (await at.audit(flag_key)).filter(
    ({ metadata }) => metadata.origin === 'schedule' && metadata.scheduled_change_id === id,
  )

describe('a scheduled change that is created', () => {
  it('scheduling responds with 200 and the stored change, and the flag is unchanged', async () => {
    const before = await flag()
    const scheduled_at = inMinutes(5)
    const { body, status } = await schedule({ scheduled_at, patch: { is_enabled: true, description: null } })
    expect(status).toBe(200)
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      environment_id: production.id,
      flag_key: key,
      scheduled_at,
      patch: { is_enabled: true, description: null },
      scheduled_by: people.editor.email,
      comment: null,
      executed_at: null,
      error: null,
      created_at: clock.now().toISOString(),
    })
    expect(await flag()).toEqual(before)
    expect(await listOfFlag()).toEqual([body])
  })

  it('scheduling is audited as schedule, without an event', async () => {
    const change = await scheduled({ is_enabled: true })
    expect((await production.audit(key)).at(-1)).toEqual({
      action: 'schedule',
      actor_email: people.editor.email,
      before: null,
      after: change,
      metadata: { origin: 'direct', scheduled_change_id: change.id, ...AUDIT_TRACE },
    })
    expect(typesOf(await production.events(key))).toEqual(['flag.created'])
  })

  it.each([
    ['an offset', '2026-07-01T12:00:00+05:30', '2026-07-01T06:30:00.000Z'],
    ['a leap second', '2026-12-31T23:59:60Z', '2027-01-01T00:00:00.000Z'],
    ['more digits than milliseconds have', '2026-07-01T12:00:00.123456789Z', '2026-07-01T12:00:00.123Z'],
    ['small letters', '2026-07-01t12:00:00z', '2026-07-01T12:00:00.000Z'],
    ['the far future', FAR_AHEAD, '9999-12-31T23:59:59.000Z'],
    ['the far future of another zone', '9999-12-31T23:59:59-12:00', '9999-12-31T23:59:59.999Z'],
  ])('scheduling accepts %s as time', async (_case, scheduled_at, stored) => {
    const { body, status } = await schedule({ scheduled_at, patch: { is_enabled: true } })
    expect({ status, scheduled_at: body.scheduled_at }).toEqual({ status: 200, scheduled_at: stored })
    expect((await find(body.id))?.executed_at).toBeNull()
    expect((await withdraw(body.id)).status).toBe(204)
  })

  it.each([
    ['a date alone', '2027-01-01'],
    ['no offset', '2027-01-01T00:00:00'],
    ['a word', 'tomorrow'],
    ['infinity', 'infinity'],
    ['now', 'now'],
    ['an impossible date', '2027-02-30T00:00:00Z'],
    ['an impossible hour', '2027-02-01T25:00:00Z'],
    ['a leap second in the middle of a day', '2027-02-01T12:00:60Z'],
    ['an empty text', ''],
    ['a number', 1_800_000_000],
    ['null', null],
    ['a year of five digits', '+10000-01-01T00:00:00Z'],
  ])('scheduling is 422 with %s for scheduled_at', async (_case, scheduled_at) => {
    expect((await schedule({ scheduled_at, patch: { is_enabled: true } })).status).toBe(422)
    expect(await listOfFlag()).toEqual([])
  })

  it.each([
    ['no scheduled_at', { patch: { is_enabled: true } }],
    ['no patch', { scheduled_at: FAR_AHEAD }],
    ['a patch that is null', { scheduled_at: FAR_AHEAD, patch: null }],
    ['a patch that is a list', { scheduled_at: FAR_AHEAD, patch: [] }],
    ['a patch that is a text', { scheduled_at: FAR_AHEAD, patch: '{}' }],
    ['an empty object', {}],
    ['no body at all', undefined],
  ])('scheduling is 422 with %s: both fields are required', async (_case, body) => {
    expect((await schedule(body)).status).toBe(422)
    expect(await listOfFlag()).toEqual([])
  })

  it.each([
    ['a percentage beyond 100', { rollout_percentage: 101 }, '/patch/rollout_percentage'],
    ['another key', { key: 'other' }, '/patch/key'],
    ['a type that does not fit the values', { flag_type: 'integer' }, '/patch/default_value'],
    ['a value that does not fit the type', { default_value: 'yes' }, '/patch/default_value'],
    ['is_enabled null', { is_enabled: null }, '/patch/is_enabled'],
    ['a rule without an operator', { rules: [{ attribute: 'plan', values: [] }] }, '/patch/rules/0/operator'],
    ['variants on a boolean flag', { variants: [{ weight: 1, value: true }] }, '/patch/variants'],
  ])('scheduling is 422 with a patch that does not fit the current flag: %s', async (_case, patch, path) => {
    const { body, status } = await schedule({ scheduled_at: FAR_AHEAD, patch })
    expect(status).toBe(422)
    expect(body.details[0].path).toBe(path)
    expect(body.error).toContain(path)
    expect(await listOfFlag()).toEqual([])
  })

  it('scheduling is 404 for a missing flag and an unknown or malformed environment, whatever the body', async () => {
    const bodies = [{ scheduled_at: FAR_AHEAD, patch: {} }, { scheduled_at: 'never' }, undefined]
    for (const body of bodies) {
      expect((await schedule(body, 'admin', 'missing')).status).toBe(404)
      for (const id of [randomUUID(), 'production']) {
        const path = `/api/environments/${id}/flags/${key}/scheduled-changes`
        expect((await server.call({ method: 'POST', path, body })).status).toBe(404)
      }
    }
  })

  it('scheduling is 403 for viewers, non-members, client keys and keys of another environment', async () => {
    const body = { scheduled_at: FAR_AHEAD, patch: { is_enabled: true } }
    for (const as of [people.viewer.as, people.outsider.as, people.client_key]) {
      expect((await schedule(body, as)).status).toBe(403)
    }
    await staging.put({ key })
    const foreign = await staging.send('POST', `/flags/${key}/scheduled-changes`, people.key, body)
    expect(foreign.status).toBe(403)
    expect(await listOfFlag()).toEqual([])
  })

  it('scheduling is for editors, admins and server keys; a key is named as in the audit log', async () => {
    const body = { scheduled_at: FAR_AHEAD, patch: { is_enabled: true } }
    const by = []
    for (const as of [people.editor.as, people.admin.as, people.askerToken, people.key, 'admin'] as const) {
      by.push((await schedule(body, as)).body.scheduled_by)
    }
    expect(by).toEqual([
      people.editor.email,
      people.admin.email,
      people.requester.email,
      'sdk-key:robot',
      'ada@example.com',
    ])
  })
})

describe('warnings of scheduled changes', () => {
  const patch = { rules: [{ segment_key: 'ghost', colour: 'red' }], colour: 'red', revision: 1 }
  const WARNINGS = [
    { code: 'unknown_segment', path: '/rules/0/segment_key' },
    { code: 'unknown_field', path: '/patch/colour' },
    { code: 'unknown_field', path: '/patch/rules/0/colour' },
  ].map((warning) => expect.objectContaining(warning))

  it('warnings of a scheduled change come with the response to it, with paths of the body, and not in the list', async () => {
    const { body, status } = await schedule({ scheduled_at: FAR_AHEAD, patch })
    expect({ status, warnings: body.warnings }).toEqual({ status: 200, warnings: WARNINGS })
    expect(await find(body.id)).not.toHaveProperty('warnings')
    expect((await production.audit(key)).at(-1)?.after).not.toHaveProperty('warnings')
  })

  it('warnings of a scheduled change come also when it needs approval', async () => {
    await staging.put({ key })
    await staging.require({ require_approval: true, approval_scope: 'all' })
    const path = `/flags/${key}/scheduled-changes`
    const sent = { scheduled_at: FAR_AHEAD, patch }
    const { body, status } = await staging.send('POST', path, people.requester.as, sent)
    expect({ status, warnings: body.warnings }).toEqual({ status: 202, warnings: WARNINGS })
    const plain = { scheduled_at: FAR_AHEAD, patch: { tags: [] } }
    const { body: nothing } = await staging.send('POST', path, people.requester.as, plain)
    expect(nothing).not.toHaveProperty('warnings')
    await staging.require({ require_approval: false })
  })

  it('warnings of a scheduled change are absent when there are none', async () => {
    const { body } = await schedule({ scheduled_at: FAR_AHEAD, patch: { is_enabled: true } })
    expect(body).not.toHaveProperty('warnings')
  })
})

describe('lists of scheduled changes', () => {
  it('the list is ordered by scheduled_at and then by creation, executed changes included', async () => {
    const last = await scheduled({ description: 'last' }, 50)
    const first = await scheduled({ description: 'first' }, 2)
    const tie = await scheduled({ description: 'tie' }, 50)
    const past = await scheduled({ description: 'past' }, -1)
    await executed(past.id)
    expect((await listOfFlag()).map(({ id }) => id)).toEqual([past.id, first.id, last.id, tie.id])
    const times = (await list()).map(({ scheduled_at }) => scheduled_at)
    expect(times).toEqual([...times].sort())
    expect(await list()).toEqual(expect.arrayContaining(await listOfFlag()))
  })

  it('the list of a flag has only its changes; a missing flag is 404, one without changes an empty list', async () => {
    expect(await listOfFlag()).toEqual([])
    expect((await production.send('GET', '/flags/missing/scheduled-changes', 'admin')).status).toBe(404)
    expect(await list(createEnvironmentCalls(server, server.environments.development))).toEqual([])
  })

  it('the list of scheduled changes is for everyone who may read the environment', async () => {
    for (const as of [people.viewer.as, people.key]) {
      expect((await production.send('GET', '/scheduled-changes', as)).status).toBe(200)
      expect((await production.send('GET', `/flags/${key}/scheduled-changes`, as)).status).toBe(200)
    }
    for (const as of [people.outsider.as, people.client_key]) {
      expect((await production.send('GET', '/scheduled-changes', as)).status).toBe(403)
    }
  })
})

describe('executing scheduled changes', () => {
  it('a due patch is applied to the current flag, and executed_at is set', async () => {
    const change = await scheduled({ is_enabled: true })
    await production.patch(key, { description: 'written meanwhile' }, people.admin.as)
    const before = await flag()
    clock.advance(MINUTE_MS)
    expect(await executed(change.id)).toEqual({
      ...change,
      executed_at: clock.now().toISOString(),
      error: null,
    })
    expect(await flag()).toEqual({ ...before, is_enabled: true, revision: expect.any(Number) })
    expect((await flag()).revision).toBeGreaterThan(before.revision)
  })

  it('a scheduled change is not applied early', async () => {
    const later = await scheduled({ is_enabled: true }, 1)
    clock.advance(MINUTE_MS - 1)
    // A poll has run when this one is done.
    await executed((await scheduled({ description: 'now' }, 0)).id)
    expect(await find(later.id)).toMatchObject({ executed_at: null })
    expect((await flag()).is_enabled).toBe(false)
    clock.advance(1)
    await executed(later.id)
  })

  it('a scheduled change is audited and published as an update by its author, with the origin schedule', async () => {
    const body = { scheduled_at: inMinutes(1), patch: { is_enabled: true } }
    const { body: change } = await schedule(body, people.key)
    const before = await flag()
    clock.advance(MINUTE_MS)
    await executed(change.id)
    const after = await flag()
    expect((await production.audit(key)).at(-1)).toEqual({
      action: 'update',
      actor_email: 'sdk-key:robot',
      before,
      after,
      metadata: {
        origin: 'schedule',
        scheduled_change_id: change.id,
        scheduled_at: body.scheduled_at,
      },
    })
    const event = (await production.events(key)).at(-1)
    expect(event).toMatchObject({
      type: 'flag.updated',
      data: { actor_email: 'sdk-key:robot', flag: after, previous: before, flag_key: key },
    })
  })

  it('SDKs receive a scheduled change', async () => {
    const stream = await readStream(`${server.url}/stream`, { authorization: `Bearer ${server.sdkKey}` })
    await stream.until(({ event }) => event === 'ready')
    // All events of a bootstrap have one id.
    const readyAt = Number(stream.events.find(({ event }) => event === 'update')?.id)
    await scheduled({ is_enabled: true }, 0)
    const update = await stream.until(({ data, id }) => data.flag?.key === key && Number(id) > readyAt)
    expect(update.data).toMatchObject({ type: 'UPSERT', flag: { key, is_enabled: true } })
    stream.close()
  })

  it('a scheduled archived_at archives the flag, with the time of the execution', async () => {
    const change = await scheduled({ archived_at: '2020-01-01T00:00:00Z' })
    clock.advance(MINUTE_MS)
    await executed(change.id)
    expect((await flag()).archived_at).toBe(clock.now().toISOString())
    expect((await production.audit(key)).at(-1)?.action).toBe('archive')
  })

  it('a past scheduled_at means immediately', async () => {
    const { body } = await schedule({ scheduled_at: '1999-12-31T23:59:60Z', patch: { is_enabled: true } })
    expect(body.scheduled_at).toBe('2000-01-01T00:00:00.000Z')
    await executed(body.id)
    expect((await flag()).is_enabled).toBe(true)
  })

  it('scheduled changes of one environment run in the order of their time, not of their creation', async () => {
    const third = await scheduled({ description: 'third', tags: ['third'] }, 3)
    const first = await scheduled({ description: 'first' }, 1)
    const fourth = await scheduled({ description: 'fourth' }, 3)
    const second = await scheduled({ description: 'second', rollout_percentage: 20 }, 2)
    clock.advance(4 * MINUTE_MS)
    await executed(fourth.id)
    const ran = (await production.audit(key)).filter(({ metadata }) => metadata.origin === 'schedule')
    expect(ran.map(({ metadata }) => metadata.scheduled_change_id)).toEqual([
      first.id,
      second.id,
      third.id,
      fourth.id,
    ])
    expect(await flag()).toMatchObject({ description: 'fourth', tags: ['third'], rollout_percentage: 20 })
  })

  it('a scheduled change is applied where PATCH requests need approval with the scope patch', async () => {
    const { development } = server.environments
    const calls = createEnvironmentCalls(server, development)
    await calls.put({ key })
    await calls.require({ require_approval: true, approval_scope: 'patch' })
    const change = await scheduled({ is_enabled: true }, 0, { at: calls })
    expect(await executed(change.id, calls)).toMatchObject({ error: null })
    await calls.require({ require_approval: false })
  })
})

describe('scheduled changes that do not fit any more', () => {
  it('a change that does not fit any more has an error, is audited, and changes and sends nothing', async () => {
    const change = await scheduled({ default_value: false })
    await production.put({ key, flag_type: 'string', default_value: 'a' })
    const before = await flag()
    const events = typesOf(await production.events(key))
    const history = (await production.send('GET', `/flags/${key}/history`, 'admin')).body
    clock.advance(MINUTE_MS)
    const done = await executed(change.id)
    expect(done).toEqual({
      ...change,
      executed_at: clock.now().toISOString(),
      error: expect.stringContaining('default_value'),
    })
    expect(await flag()).toEqual(before)
    expect((await production.audit(key)).at(-1)).toEqual({
      action: 'update',
      actor_email: people.editor.email,
      before,
      after: before,
      metadata: {
        origin: 'schedule',
        scheduled_change_id: change.id,
        patch: change.patch,
        error: done.error,
      },
    })
    expect(typesOf(await production.events(key))).toEqual(events)
    // The flag has no new state, so its history has no new entry.
    expect((await production.send('GET', `/flags/${key}/history`, 'admin')).body).toEqual(history)
    expect((await withdraw(change.id)).status).toBe(404)
  })

  it('a change that does not fit any more does not delay later ones', async () => {
    const unfit = await scheduled({ default_value: false }, 1)
    const fit = await scheduled({ is_enabled: true }, 2)
    await production.put({ key, flag_type: 'string' })
    clock.advance(2 * MINUTE_MS)
    expect(await executed(fit.id)).toMatchObject({ error: null })
    expect((await find(unfit.id))?.error).not.toBeNull()
    expect((await flag()).is_enabled).toBe(true)
  })

  it('a stored change that cannot be read has an error', async () => {
    const before = await flag()
    const broken = await scheduled({ rules: [] }, 1)
    const odd = await scheduled({ tags: ['a'] }, 2)
    const fit = await scheduled({ is_enabled: true }, 3)
    const store = (id: string, patch: unknown) =>
      server.database.pool.query('update scheduled_changes set patch = $1 where id = $2', [
        JSON.stringify(patch),
        id,
      ])
    await store(broken.id, { rules: 'x' })
    await store(odd.id, { rules: [{ conditions: 7 }] })
    clock.advance(3 * MINUTE_MS)
    expect(await executed(fit.id)).toMatchObject({ error: null })
    for (const { id } of [broken, odd]) {
      expect((await find(id))?.error).toMatch(/cannot be read any more/)
      expect(await entriesOf(id)).toHaveLength(1)
    }
    expect(await flag()).toMatchObject({ rules: before.rules, tags: before.tags, is_enabled: true })
    expect(server.logged()).not.toMatch(/"level":"(error|fatal)"/)
  })

  it('a change whose timestamp has another format of RFC 3339 is executed', async () => {
    const change = await scheduled({ archived_at: '2026-01-05 10:00:00.5z' })
    clock.advance(MINUTE_MS)
    expect(await executed(change.id)).toMatchObject({ error: null })
    expect((await flag()).archived_at).toBe(clock.now().toISOString())
  })

  it('a change without approval has an error when every change needs approval by then', async () => {
    const { development } = server.environments
    const calls = createEnvironmentCalls(server, development)
    await calls.put({ key })
    const change = await scheduled({ is_enabled: true }, 1, { at: calls })
    await calls.require({ require_approval: true, approval_scope: 'all' })
    const before = (await calls.get(key)).body
    clock.advance(MINUTE_MS)
    expect(await executed(change.id, calls)).toMatchObject({ error: expect.stringMatching(/approv/i) })
    expect((await calls.get(key)).body).toEqual(before)
    expect(await entriesOf(change.id, calls)).toHaveLength(1)
    await calls.require({ require_approval: false })
  })

  it('an approved change is executed when every change needs approval by then', async () => {
    const { development } = server.environments
    const calls = createEnvironmentCalls(server, development)
    await calls.put({ key })
    await calls.require({ require_approval: true, approval_scope: 'all' })
    const body = { scheduled_at: inMinutes(1), patch: { is_enabled: true } }
    const asked = await calls.send('POST', `/flags/${key}/scheduled-changes`, people.requester.as, body)
    expect(asked.status).toBe(202)
    expect(asked.body).toMatchObject({ status: 'pending', scheduled_at: body.scheduled_at })
    expect((await list(calls)).filter(({ flag_key }) => flag_key === key)).toEqual([])
    expect((await calls.approve(asked.body.id, people.editor.as)).status).toBe(200)
    const [change] = (await list(calls)).filter(({ flag_key }) => flag_key === key)
    expect(change).toMatchObject({ scheduled_by: people.requester.email, executed_at: null })
    clock.advance(MINUTE_MS)
    expect(await executed(change?.id ?? '', calls)).toMatchObject({ error: null })
    expect((await calls.get(key)).body.is_enabled).toBe(true)
    await calls.require({ require_approval: false })
  })
})

describe('scheduled changes that fail with an unexpected error', () => {
  const SECOND_MS = 1000
  const failing = (change: ScheduledChange) =>
    eventually(async () => {
      const { error } = (await find(change.id)) ?? {}
      return error ? error : null
    })
  const attemptsOf = async ({ id }: ScheduledChange): Promise<number> => {
    const { rows } = await server.database.pool.query(
      'select failed_attempts from scheduled_changes where id = $1',
      [id],
    )
    return rows[0].failed_attempts
  }
  beforeEach(() =>
    server.database.pool.query(
      `create function fail_now() returns trigger language plpgsql as $$
       begin raise exception 'not for callers'; end $$;
       create trigger fail_now before update on flags for each row when (new.description = 'boom')
       execute function fail_now()`,
    ),
  )
  const repair = () => server.database.pool.query('drop function if exists fail_now cascade')
  afterEach(repair)

  it('a change that fails unexpectedly stays pending with an error, is logged, and succeeds when retried', async () => {
    const change = await scheduled({ description: 'boom' }, 0)
    const error = await failing(change)
    expect(error).toMatch(/server failed.*retried/)
    expect(error).not.toContain('not for callers')
    expect(server.logged()).toContain('not for callers')
    expect(await find(change.id)).toEqual({ ...change, error })
    expect((await flag()).description).toBeNull()
    await repair()
    clock.advance(SECOND_MS)
    expect(await executed(change.id)).toMatchObject({ error: null })
    expect((await flag()).description).toBe('boom')
    expect(await entriesOf(change.id)).toHaveLength(1)
  })

  it('a change that a busy database refuses stays pending without an error, and runs at a later poll', async () => {
    await server.database.pool.query(
      `create sequence busy_attempts;
       create or replace function fail_now() returns trigger language plpgsql security definer as $$
       begin
         perform nextval('busy_attempts');
         raise exception 'too many connections' using errcode = '53300';
       end $$`,
    )
    try {
      const change = await scheduled({ description: 'boom' }, 0)
      await eventually(async () => {
        const { rows } = await server.database.pool.query(
          'select last_value::int as count from busy_attempts',
        )
        return rows[0].count >= 3
      })
      expect(await find(change.id)).toEqual(change)
      expect(await attemptsOf(change)).toBe(0)
      await repair()
      expect(await executed(change.id)).toMatchObject({ error: null })
      expect((await flag()).description).toBe('boom')
    } finally {
      await server.database.pool.query('drop sequence busy_attempts cascade')
    }
  })

  it('a change that fails unexpectedly is retried after growing delays, and not before', async () => {
    const change = await scheduled({ description: 'boom' }, 0)
    await failing(change)
    for (const [attempts, delayMs] of [SECOND_MS, 2 * SECOND_MS, 4 * SECOND_MS].entries()) {
      // Polls have run when these are done.
      clock.advance(delayMs - 1)
      const other = `other-${count}-${attempts}`
      await production.put({ key: other })
      await executed((await scheduled({ is_enabled: true }, 0, { flag_key: other })).id)
      expect(await attemptsOf(change)).toBe(attempts + 1)
      clock.advance(1)
      await eventually(async () => (await attemptsOf(change)) === attempts + 2)
    }
    expect((await withdraw(change.id)).status).toBe(204)
  })

  it('a change that fails unexpectedly delays later changes of its flag only, which keep their order', async () => {
    const other = `other-${count}`
    await production.put({ key: other })
    const change = await scheduled({ description: 'boom' }, 1)
    const elsewhere = await scheduled({ is_enabled: true }, 2, { flag_key: other })
    const later = await scheduled({ description: 'later' }, 3)
    clock.advance(3 * MINUTE_MS)
    expect(await executed(elsewhere.id)).toMatchObject({ error: null })
    await failing(change)
    await executed((await scheduled({ is_enabled: false }, 0, { flag_key: other })).id)
    expect(await find(later.id)).toMatchObject({ executed_at: null, error: null })
    await repair()
    clock.advance(SECOND_MS)
    await executed(later.id)
    expect(await find(change.id)).toMatchObject({ error: null, executed_at: expect.any(String) })
    expect((await flag()).description).toBe('later')
  })

  it('a withdrawn change that failed unexpectedly lets later changes of its flag run', async () => {
    const change = await scheduled({ description: 'boom' }, 0)
    await failing(change)
    const later = await scheduled({ is_enabled: true }, 0)
    expect((await withdraw(change.id)).status).toBe(204)
    expect(await executed(later.id)).toMatchObject({ error: null })
    expect((await flag()).is_enabled).toBe(true)
  })
})

describe('DELETE of a scheduled change', () => {
  it('DELETE removes a pending change: 204, never executed, audited as unschedule', async () => {
    const change = await scheduled({ is_enabled: true })
    expect((await withdraw(change.id)).status).toBe(204)
    expect(await listOfFlag()).toEqual([])
    expect((await production.audit(key)).at(-1)).toMatchObject({
      action: 'unschedule',
      before: change,
      after: null,
      metadata: { origin: 'direct', scheduled_change_id: change.id },
    })
    clock.advance(MINUTE_MS)
    await executed((await scheduled({ description: 'after it' }, 0)).id)
    expect((await flag()).is_enabled).toBe(false)
    expect((await withdraw(change.id)).status).toBe(404)
  })

  it('DELETE of a scheduled change accepts its id in capitals too', async () => {
    const { id } = await scheduled({ is_enabled: true })
    expect((await withdraw(id.toUpperCase())).status).toBe(204)
  })

  it('DELETE is 404 for an executed change, which stays listed', async () => {
    const change = await scheduled({ is_enabled: true }, 0)
    const done = await executed(change.id)
    expect((await withdraw(change.id)).status).toBe(404)
    expect(await find(change.id)).toEqual(done)
  })

  it("DELETE of a scheduled change is 404 for an unknown or malformed id, and for another environment's", async () => {
    const change = await scheduled({ is_enabled: true })
    expect((await withdraw(randomUUID())).status).toBe(404)
    expect((await withdraw('17')).status).toBe(404)
    expect((await withdraw(change.id, people.editor.as, staging)).status).toBe(404)
    expect(await find(change.id)).toEqual(change)
  })

  it('DELETE of a scheduled change is 403 for a viewer and allowed for any editor and a server key', async () => {
    const change = await scheduled({ is_enabled: true })
    for (const as of [people.viewer.as, people.outsider.as, people.client_key]) {
      expect((await withdraw(change.id, as)).status).toBe(403)
    }
    expect((await withdraw(change.id, people.key)).status).toBe(204)
    expect((await withdraw((await scheduled({}, 1)).id, people.requester.as)).status).toBe(204)
  })
})

describe('deletions before a change is due', () => {
  it('a deleted flag removes its pending changes and keeps the executed ones listed', async () => {
    const past = await scheduled({ description: 'ran' }, 0)
    const ran = await executed(past.id)
    const pending = await scheduled({ is_enabled: true })
    expect((await production.remove(key)).status).toBe(204)
    expect(await find(pending.id)).toBeUndefined()
    expect(await find(past.id)).toEqual(ran)
    // A new flag of that key is not affected by what was meant for the old one.
    await production.put({ key })
    clock.advance(MINUTE_MS)
    await executed((await scheduled({ description: 'after it' }, 0)).id)
    expect((await flag()).is_enabled).toBe(false)
  })

  it('a deleted environment removes its changes, and those of others still run', async () => {
    const body = { name: 'Short-lived', slug: `short-lived-${count}` }
    const path = `/api/projects/${server.project.id}/environments`
    const { body: environment } = await server.call({ path, body })
    const doomed = createEnvironmentCalls(server, environment.id)
    await doomed.put({ key })
    const gone = await scheduled({ is_enabled: true }, 1, { at: doomed })
    const kept = await scheduled({ is_enabled: true }, 2)
    expect((await server.call({ method: 'DELETE', path: `${path}/${environment.id}` })).status).toBe(204)
    clock.advance(2 * MINUTE_MS)
    await executed(kept.id)
    expect(await entriesOf(gone.id, doomed)).toEqual([])
  })
})

describe('scheduled changes on several instances', () => {
  let others: TestServer[]
  beforeAll(async () => {
    others = [
      await startTestServer({ database: server.database, clock }),
      await startTestServer({ database: server.database, clock }),
    ]
  })
  afterAll(() => Promise.all(others.map((other) => other.close())))

  it('each of many changes is executed exactly once, those of an environment in the order of their time', async () => {
    await staging.put({ key })
    const places = [production, staging]
    const changes = await Promise.all(
      Array.from({ length: 60 }, async (_, index) => {
        const at = places[index % places.length] ?? production
        return { at, change: await scheduled({ description: `step ${index}` }, 1 + index, { at }) }
      }),
    )
    clock.advance(61 * MINUTE_MS)
    for (const { at, change } of changes) await executed(change.id, at)
    for (const at of places) {
      const mine = changes.filter((made) => made.at === at).map(({ change }) => change)
      const inOrder = [...mine].sort((left, right) => (left.scheduled_at < right.scheduled_at ? -1 : 1))
      const entries = (await at.audit(key)).filter(({ metadata }) => metadata.origin === 'schedule')
      expect(entries.map(({ metadata }) => metadata.scheduled_change_id)).toEqual(inOrder.map(({ id }) => id))
      const updates = typesOf(await at.events(key)).filter((type) => type === 'flag.updated')
      expect(updates).toHaveLength(mine.length)
    }
  })

  it('a change that does not fit any more is recorded once', async () => {
    const changes = await Promise.all(
      [1, 2, 3, 4].map((minutes) => scheduled({ default_value: false }, minutes)),
    )
    await production.put({ key, flag_type: 'string' })
    clock.advance(4 * MINUTE_MS)
    for (const { id } of changes) {
      expect((await executed(id)).error).not.toBeNull()
      expect(await entriesOf(id)).toHaveLength(1)
    }
  })

  it('DELETE against execution, 100 rounds: either 204 and never executed, or 404 and executed once', async () => {
    const changes: ScheduledChange[] = []
    for (let round = 1; round <= 100; round += 1) {
      changes.push(await scheduled({ description: `round ${round}` }, round))
    }
    clock.advance(100 * MINUTE_MS)
    await executed(changes[0]?.id ?? '')
    const withdrawn = new Map<string, number>()
    const fromTheEnd = [...changes].reverse()
    while (fromTheEnd.length > 0) {
      const few = fromTheEnd.splice(0, 4)
      await Promise.all(
        few.map(async ({ id }, index) => {
          const instance = [server, ...others][index % 3] ?? server
          const path = `/api/environments/${production.id}/scheduled-changes/${id}`
          withdrawn.set(id, (await instance.call({ method: 'DELETE', path })).status)
        }),
      )
    }
    const entries = (await production.audit(key)).filter(({ metadata }) => metadata.origin === 'schedule')
    for (const { id } of changes) {
      const runs = entries.filter(({ metadata }) => metadata.scheduled_change_id === id).length
      const is_listed = (await find(id))?.executed_at
      if (withdrawn.get(id) === 204) expect({ runs, is_listed }).toEqual({ runs: 0, is_listed: undefined })
      else
        expect({ status: withdrawn.get(id), runs, is_listed }).toEqual({
          status: 404,
          runs: 1,
          is_listed: expect.any(String),
        })
    }
    // Either side won some.
    expect(new Set(withdrawn.values())).toEqual(new Set([204, 404]))
    const updates = typesOf(await production.events(key)).filter((type) => type === 'flag.updated')
    expect(updates).toHaveLength(entries.length)
  })
})

describe('scheduled changes after a downtime', () => {
  it('overdue changes run at the start, in the order of their time', async () => {
    const database = await createTestDatabase()
    const downClock = createManualClock()
    const before = await startTestServer({ database, clock: downClock })
    const calls = createEnvironmentCalls(before, before.environments.production)
    await calls.put({ key })
    const ids: string[] = []
    for (const minutes of [3, 1, 2, 60]) {
      const scheduled_at = new Date(downClock.now().getTime() + minutes * MINUTE_MS).toISOString()
      const body = { scheduled_at, patch: { description: `minute ${minutes}` } }
      ids.push((await calls.send('POST', `/flags/${key}/scheduled-changes`, 'admin', body)).body.id)
    }
    await before.close()
    downClock.advance(10 * MINUTE_MS)

    const after = await startTestServer({ database, clock: downClock })
    const again = createEnvironmentCalls(after, calls.id)
    await eventually(async () => (await again.get(key)).body.description === 'minute 3')
    const ran = (await again.audit(key)).filter(({ metadata }) => metadata.origin === 'schedule')
    expect(ran.map(({ metadata }) => metadata.scheduled_change_id)).toEqual([ids[1], ids[2], ids[0]])
    await after.close()
    await database.drop()
  })
})
