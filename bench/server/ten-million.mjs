import { openHttpConnection, requestBytes } from '../harness/http-connection.mjs'
import { firstEnvironment } from '../harness/installation.mjs'
import { monotonicMs } from '../harness/monotonic-ms.mjs'
import { percentile } from '../harness/percentile.mjs'
import { figure } from '../harness/result-table.mjs'
import { withDatabase } from '../harness/start-postgres.mjs'
import { sendImpressions } from './ingest.mjs'
import { goalKey, seedImpressions, variantFlag } from './seed-impressions.mjs'

const SIZE = { rows: 10_000_000, users: 200_000, flags: 20, days: 30 }
const QUICK_SIZE = { ...SIZE, rows: 300_000 }
const ROUNDS = 100
const WARM_UP_ROUNDS = 8
const LOADED_MS = 20_000
const QUICK_LOADED_MS = 5_000
const INGEST_MS = 15_000
/** The load: 20 senders with 50 items every 0.1 s are 10,000 rows a second when responses are fast. */
const LOAD = { batch: 50, senders: 20, pauseMs: 95 }
const LOADED_P99_MS = 50
const EXPERIMENT = 'the-experiment'
const MS_PER_SECOND = 1000

export const tenMillion = {
  title: '10 million impressions of 200,000 users',
  async run({ postgres, quick, progress, startServer }) {
    const databaseUrl = await postgres.createDatabase()
    const server = await startServer({ databaseUrl })
    try {
      const environment = await firstEnvironment(server)
      const size = { ...environment, ...(quick ? QUICK_SIZE : SIZE) }
      await withDatabase(databaseUrl, (client) => seedImpressions(client, size, progress))
      await createExperiment(server, environment, { key: EXPERIMENT, flag_key: variantFlag })
      progress('queries')
      const firstResults = await measureFirstResults(server, environment)
      const quiet = await measureAll(server, environment, { hasGoals: true })
      progress('queries while 10,000 rows a second come in')
      const loaded = await measureLoaded(server, environment, quick ? QUICK_LOADED_MS : LOADED_MS)
      progress('ingest beside what is there')
      const rates = await measureIngest(server, environment)
      return [
        { columns: ['Nothing else comes in', 'p50', 'p99'], rows: [...quiet, firstResults] },
        { columns: ['10,000 rows a second come in', 'p50', 'p99'], rows: loaded },
        { columns: ['Batches of 500', 'rows a second'], rows: rates },
      ]
    } finally {
      await server.stop()
    }
  },
}

async function createExperiment({ port }, { environment_id, sdk_key }, { flag_key, key }) {
  const connection = await openHttpConnection(port)
  const body = { name: 'Bench', key, flag_key, goal_event_key: goalKey }
  const path = `/api/environments/${environment_id}/experiments`
  const { status } = await connection.send(requestBytes({ method: 'POST', path, sdk_key, body }))
  if (status !== 200) throw new Error(`creating the experiment returned ${status}`)
  connection.close()
}

/** Measures results that were never requested before: all users are counted. */
async function measureFirstResults(server, environment) {
  const times = []
  for (let flag = 1; flag < SIZE.flags; flag++) {
    const key = `first-${flag}`
    await createExperiment(server, environment, { key, flag_key: `flag-${String(flag).padStart(2, '0')}` })
    const kind = { name: 'results', path: () => `/experiments/${key}/results` }
    times.push(...(await measureKind(server, environment, kind, 1, 0)))
  }
  return [
    'results, the first time',
    figure(percentile(times, 50), 'ms', { atMost: 350 }),
    figure(percentile(times, 99), 'ms'),
  ]
}

const KINDS = [
  { name: 'stats', path: () => '/impressions/stats', atMost: 20 },
  { name: 'exposure', path: () => `/impressions/exposure?flag_key=${variantFlag}`, atMost: 10 },
  { name: 'activity', path: () => '/impressions/activity' },
  { name: 'list', path: () => '/impressions', atMost: 15 },
  { name: 'list of one flag', path: () => '/impressions?flag_key=flag-07', atMost: 15 },
  { name: 'list of one value', path: () => '/impressions?value=green', atMost: 15 },
  { name: 'list of one user', path: () => '/impressions?user_id=user-4711', atMost: 15 },
  { name: 'list, 5 million in', path: () => '/impressions?offset=5000000' },
  { name: '`since_id` poll, nothing new', path: (last_id) => `/impressions?since_id=${last_id}`, atMost: 3 },
  { name: '`since_id` poll, 50 new', path: (last_id) => `/impressions?since_id=${last_id - 50}`, atMost: 3 },
  { name: 'event keys', path: () => '/events/keys' },
  { name: 'results, nothing changed', path: () => `/experiments/${EXPERIMENT}/results`, atMost: 20 },
]

/** @typedef {{ goalP99Ms?: number, hasGoals: boolean, rounds?: number }} MeasureOptions */

async function measureAll(server, environment, /** @type {MeasureOptions} */ options) {
  const { goalP99Ms, hasGoals, rounds = ROUNDS } = options
  const rows = []
  for (const kind of KINDS) {
    const times = await measureKind(server, environment, kind, rounds)
    const p50Goal = hasGoals && kind.atMost !== undefined ? { atMost: kind.atMost } : undefined
    const p99Goal = goalP99Ms !== undefined && kind.atMost !== undefined ? { atMost: goalP99Ms } : undefined
    rows.push([
      kind.name,
      figure(percentile(times, 50), 'ms', p50Goal),
      figure(percentile(times, 99), 'ms', p99Goal),
    ])
  }
  return rows
}

/**
 * Measures requests in sequence on one connection. The first ones, which find nothing prepared, are left out.
 */
async function measureKind(
  { port },
  { environment_id, sdk_key },
  { name, path },
  rounds,
  warmUp = WARM_UP_ROUNDS,
) {
  const connection = await openHttpConnection(port)
  const ask = async (below) => {
    const whole = `/api/environments/${environment_id}${below}`
    const bytes = requestBytes({ method: 'GET', path: whole, sdk_key })
    const from = monotonicMs()
    const { body, status } = await connection.send(bytes)
    if (status !== 200) throw new Error(`${name} returned ${status}: ${body}`)
    return { took_ms: monotonicMs() - from, body }
  }
  const newest = await ask('/impressions?limit=1')
  const last_id = JSON.parse(newest.body).items[0].id
  const times = []
  for (let round = -warmUp; round < rounds; round++) {
    const { took_ms } = await ask(path(last_id))
    if (round >= 0) times.push(took_ms)
  }
  connection.close()
  return times
}

async function measureLoaded(server, environment, duration_ms) {
  const sending = sendImpressions(server, environment, { ...LOAD, duration_ms })
  const rows = await measureAll(server, environment, { goalP99Ms: LOADED_P99_MS, hasGoals: false })
  const { times, took_ms } = await sending
  const rate = ((times.length * LOAD.batch) / took_ms) * MS_PER_SECOND
  return [
    ...rows,
    ['rows a second that came in', figure(rate, ''), ''],
    ['their 204', figure(percentile(times, 50), 'ms'), figure(percentile(times, 99), 'ms')],
  ]
}

async function measureIngest(server, environment) {
  const rows = []
  for (const senders of [1, 8]) {
    const { times, took_ms } = await sendImpressions(server, environment, {
      batch: 500,
      senders,
      duration_ms: INGEST_MS,
    })
    const goal = senders > 1 ? { atLeast: 25_000 } : undefined
    rows.push([`${senders} senders`, figure(((times.length * 500) / took_ms) * MS_PER_SECOND, '', goal)])
  }
  return rows
}
