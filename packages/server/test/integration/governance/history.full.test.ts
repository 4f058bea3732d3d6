import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createClient } from '../../../../sdk/src/index.ts'
import { pruneHistory } from '../../../src/changes/index.ts'
import { keepHistory } from '../../../src/changes/keep-history.ts'
import { addUpStoredBytes } from '../../../src/changes/stored-bytes.ts'
import { moveHistoryHorizon } from '../../../src/platform/db/workspace-row.ts'
import { loadWireFlags } from '../../../src/targeting/flags/index.ts'
import { eventually } from '../../harness/eventually.ts'
import { startTestServer, type TestServer } from '../../harness/start-test-server.ts'
import { createChoices, editRandomly, FLAG_KEYS, USERS } from '../../history/random-edits.ts'

const IS_FULL = process.env.BURGEE_FULL === '1'
/** `npm run full -- history`: 10,000 evaluations of SDKs at 1,000 edits. */
const SDK_EDITS = IS_FULL ? 1_000 : 40
const EVALUATIONS_AN_EDIT = 10
/** The time around a change in which either side counts. */
const DELIVERY_MS = 1_000
const RECORDING_TIMEOUT_MS = IS_FULL ? 3_600_000 : 120_000

let server: TestServer
let environment: string
beforeAll(async () => {
  server = await startTestServer()
  environment = `/api/environments/${server.environments.production}`
})
afterAll(() => server.close())

const evaluate = async (body: object, status = 200, at = environment) => {
  const answer = await server.call({ path: `${at}/evaluate`, body })
  expect(answer.status, JSON.stringify(answer.body)).toBe(status)
  return answer.body
}

/** The bytes of the change log, and those that count against the quota. */
async function keptBytes(): Promise<{ kept: number; quota: number }> {
  const { rows } = await server.database.pool.query(
    `select (select sum(bytes) from environment_changes where environment_id = id)::int as kept, stored_bytes::int as quota
     from environments where id = $1`,
    [server.environments.production],
  )
  return rows[0]
}

interface Item {
  readonly flag_key: string
}

/** The results of every user, without what only a past moment has. */
async function results(moment: object, at = environment) {
  const all = []
  for (const user of USERS) {
    const { flags, revision } = await evaluate({ ...user, ...moment, trace: false }, 200, at)
    all.push({
      revision,
      flags: flags.map(({ changed: _c, next_change: _n, ...item }: Item & Record<string, unknown>) => item),
    })
  }
  return all
}

interface Recorded {
  readonly revision: number
  readonly at: string
  readonly all: Awaited<ReturnType<typeof results>>
}

const recorded: Recorded[] = []

async function expectRecorded(from: number): Promise<void> {
  for (const { all, at, revision } of recorded.slice(from)) {
    expect(await results({ revision }), `revision ${revision}`).toEqual(all)
    expect(await results({ at }), `at ${at}`).toEqual(all)
  }
}

describe('the history of an environment', () => {
  it('gives what users got at each moment, over random edits of flags and segments', async () => {
    const choices = createChoices(7)
    for (let edit = 0; edit < 60; edit += 1) {
      await editRandomly(server, environment, choices)
      const all = await results({})
      const { at, revision } = await evaluate({ flag_keys: [] })
      recorded.push({ revision, at, all })
      // The next change has a later time.
      await eventually(() => expect(new Date().toISOString() > at).toBe(true))
    }
    expect(new Set(recorded.map(({ revision }) => revision)).size).toBeGreaterThan(20)
    await expectRecorded(0)
  })

  it('keeps the state of every flag at the horizon, whatever was pruned', async () => {
    const horizon = recorded[30]?.at ?? ''
    const { db } = server.database
    await moveHistoryHorizon(db, horizon)
    expect(await pruneHistory(db, horizon, 1)).toBe(1)
    const stored = await keptBytes()
    while ((await pruneHistory(db, horizon, 1_000)) > 0);
    await addUpStoredBytes(db)
    // The quota counts what is kept, and gets back what was pruned.
    expect(stored.kept).toBeGreaterThan((await keptBytes()).kept)
    expect(stored.quota - (await keptBytes()).quota).toBeGreaterThanOrEqual(
      stored.kept - (await keptBytes()).kept,
    )
    await expectRecorded(30)
    const { revision: first } = await evaluate({ at: horizon, flag_keys: [] })
    const { error } = await evaluate({ at: recorded[29]?.at, flag_keys: [] }, 422)
    expect(error).toContain('too long ago')
    expect((await evaluate({ revision: first - 1, flag_keys: [] }, 422)).error).toContain('is not kept')
    const list = await server.call({ path: `/api/projects/${server.project.id}/environments` })
    const [production] = list.body.filter(({ id }: { id: string }) => id === server.environments.production)
    expect(production.history_since).toBe(horizon)
  })

  it('names the change that made a flag so, the next one, and what SDKs reported', async () => {
    const body = { key: 'named', is_enabled: true, rollout_percentage: 100 }
    await server.call({ path: `${environment}/flags`, body })
    const asked = { flag_keys: ['named', 'never'], user_key: 'ann' }
    const { at, revision } = await evaluate(asked)
    const impressions = [
      { flag_key: 'named', user_id: 'ann', value: 'true', context: { plan: 'pro' }, evaluated_at: at },
    ]
    await server.call({ path: '/impressions', body: impressions, as: { bearer: server.sdkKey } })
    await eventually(() => expect(new Date().toISOString() > at).toBe(true))
    await server.call({ path: `${environment}/flags/named`, method: 'PATCH', body: { is_enabled: false } })
    const past = await evaluate({ ...asked, at })
    const [named, never] = past.flags
    expect(named).toMatchObject({
      value: true,
      changed: { revision, audit_id: expect.any(Number), actor_email: 'ada@example.com', action: 'create' },
      next_change: { revision: revision + 1, actor_email: 'ada@example.com', action: 'update' },
    })
    expect(never).toMatchObject({ reason: 'FLAG_NOT_FOUND', recorded: [] })
    expect(never.changed).toBeUndefined()
    const created = await server.database.pool.query(
      'select created_at from environment_changes where environment_id = $1 and revision = $2',
      [server.environments.production, revision],
    )
    const soon = await evaluate({ ...asked, at: new Date(created.rows[0].created_at).toISOString() })
    expect(soon.notice).toContain('clients were receiving it')
  })

  it('begins after an upgrade with the flags of then', async () => {
    const { db, pool } = server.database
    const id = server.environments.staging
    const staging = `/api/environments/${id}`
    const choices = createChoices(3)
    for (let edit = 0; edit < 25; edit += 1) await editRandomly(server, staging, choices)
    const now = await results({}, staging)
    await pool.query('delete from environment_changes where environment_id = $1', [id])
    await pool.query('update environments set history_since = null where id = $1', [id])
    const { revision } = now[0] ?? { revision: 0 }
    expect((await evaluate({ revision }, 422, staging)).error).toContain('after an upgrade')
    await keepHistory({
      ...{ db, clock: { now: () => new Date() }, historyRetentionDays: 400, auditRetentionDays: null },
      load: (environment_id) => loadWireFlags(db, environment_id),
      isClosed: () => false,
    })
    expect(await results({ revision }, staging)).toEqual(now)
    expect((await evaluate({ revision: revision - 1 }, 422, staging)).error).toContain('is not kept')
  })

  it(
    'gives what SDKs recorded at random edits',
    async () => {
      const id = server.environments.development
      const development = `/api/environments/${id}`
      const key = await server.call({
        path: `/api/projects/${server.project.id}/keys`,
        body: { name: 'recorder', environment_id: id },
      })
      expect(key.status, JSON.stringify(key.body)).toBe(200)
      const client = createClient({ url: server.url, sdkKey: key.body.key, impressions: 'off' })
      onTestFinished(() => client.close())
      await client.connect()
      const choices = createChoices(IS_FULL ? 19 : 5)
      const evaluations: Evaluated[] = []
      for (let edit = 0; edit < SDK_EDITS; edit += 1) {
        await editRandomly(server, development, choices)
        for (let nth = 0; nth < EVALUATIONS_AN_EDIT; nth += 1) {
          const [flag_key, user] = [choices.of(FLAG_KEYS), choices.of<User>(USERS)]
          const { reason, value } = client.evaluate(flag_key, user.user_key, user.attributes)
          evaluations.push({ at: new Date().toISOString(), flag_key, user, result: { reason, value } })
          // The next one is at another time, and the SDK receives what was changed.
          await new Promise(setImmediate)
        }
      }
      let late = 0
      for (const { at, flag_key, result, user } of evaluations) {
        const past = await evaluate({ ...user, at, flag_keys: [flag_key], trace: false }, 200, development)
        const [{ reason, value }] = past.flags
        if (JSON.stringify({ reason, value }) === JSON.stringify(result)) continue
        late += 1
        const from = new Date(Date.parse(at) - DELIVERY_MS).toISOString()
        const around = await server.call({
          path: `${development}/evaluate/history`,
          body: { ...user, from, to: at, flag_keys: [flag_key] },
        })
        const values: readonly Evaluated['result'][] = around.body.flags[0]?.values ?? []
        expect(
          values.map((one) => JSON.stringify({ reason: one.reason, value: one.value })),
          `${flag_key} at ${at}`,
        ).toContain(JSON.stringify(result))
      }
      expect(evaluations.filter(({ result }) => result.reason !== 'FLAG_NOT_FOUND').length).toBeGreaterThan(
        evaluations.length / 4,
      )
      if (IS_FULL)
        process.stdout.write(
          `${evaluations.length} evaluations at ${SDK_EDITS} edits, all replayed; ${late} while a change was delivered\n`,
        )
    },
    RECORDING_TIMEOUT_MS,
  )
})

type User = (typeof USERS)[number]

interface Evaluated {
  readonly at: string
  readonly flag_key: string
  readonly user: User
  readonly result: { readonly reason: string; readonly value: unknown }
}
