import { openHttpConnection, requestBytes } from '../harness/http-connection.mjs'
import { firstEnvironment } from '../harness/installation.mjs'
import { monotonicMs } from '../harness/monotonic-ms.mjs'
import { percentile } from '../harness/percentile.mjs'
import { figure } from '../harness/result-table.mjs'
import { hasPrerequisites, manyFlagKey, ONE_TEAM, seedManyFlags } from './seed-many-flags.mjs'
import { startStreamReader } from './start-stream-reader.mjs'
import { slowestDuring, watchHealth } from './watch-health.mjs'

const FLAGS = 10_000
const ROUNDS = { big: 50, small: 500 }
const QUICK_ROUNDS = { big: 10, small: 100 }
const WARM_UP_ROUNDS = 5
/** The response time that a person perceives as instant. */
const INTERACTIVE_MS = 100
/** The longest that the first bootstrap of an environment may hold others up. */
const FIRST_GOAL_MS = 50
const BYTES_PER_KB = 1000

export const manyFlags = {
  title: `${FLAGS.toLocaleString('en-US')} flags in an environment, five rules each`,
  async run({ postgres, quick, progress, startServer }) {
    const server = await startServer({ databaseUrl: await postgres.createDatabase() })
    const rounds = quick ? QUICK_ROUNDS : ROUNDS
    try {
      const environment = await firstEnvironment(server)
      progress(`seeding ${FLAGS} flags`)
      await seedManyFlags(server, environment, FLAGS)
      progress('requests')
      const requests = await measureRequests(server, environment, rounds)
      progress('streams and polls')
      const streams = await measureStreams(server, environment, rounds)
      return [
        { columns: REQUEST_COLUMNS, rows: requests },
        { columns: STREAM_COLUMNS, rows: streams },
      ]
    } finally {
      await server.stop()
    }
  },
}

const REQUEST_COLUMNS = ['Request', 'p50', 'p99', 'size of the response', 'slowest /health meanwhile']

/**
 * Measures each kind of request in sequence on one connection. Concurrent requests to `/health` show how long
 * the server was blocked.
 */
async function measureRequests(server, environment, rounds) {
  const at = `/api/environments/${environment.environment_id}/flags`
  const withPrerequisites = (round) => (round * 10) % FLAGS
  const kinds = [
    { name: 'list', path: () => at, rounds: rounds.big },
    { name: 'list, gzip', path: () => at, headers: { 'Accept-Encoding': 'gzip' }, rounds: rounds.big },
    { name: 'list, `archived=false`', path: () => `${at}?archived=false`, rounds: rounds.big },
    { name: 'list, `q` that one flag in fifty has', path: () => `${at}?q=${ONE_TEAM.word.toUpperCase()}` },
    { name: 'list, `q` that no flag has', path: () => `${at}?q=nothing%20like%20it` },
    { name: 'list, `tag` of one in fifty', path: () => `${at}?tag=${ONE_TEAM.tag}` },
    { name: 'list, `owner_email` of one in fifty', path: () => `${at}?owner_email=${ONE_TEAM.owner_email}` },
    { name: 'one flag', path: (round) => `${at}/${manyFlagKey(round)}` },
    { name: 'history of one flag', path: (round) => `${at}/${manyFlagKey(round)}/history` },
    { name: 'PATCH', path: (round) => `${at}/${manyFlagKey(withPrerequisites(round))}`, patch: true },
    {
      name: 'PATCH of a flag with prerequisites',
      path: (round) => `${at}/${manyFlagKey(withPrerequisites(round) + 9)}`,
      patch: true,
    },
  ]
  if (!hasPrerequisites(9))
    throw new Error('the seeded flags have changed: no prerequisites where they are measured')
  const rows = []
  for (const kind of kinds)
    rows.push(await measureKind(server, environment, { rounds: rounds.small, ...kind }))
  return rows
}

/**
 * @typedef {{ headers?: Record<string, string>, name: string, patch?: boolean, path: (round: number) =>
 *   string, rounds: number }} RequestKind
 */

async function measureKind(server, { sdk_key }, /** @type {RequestKind} */ kind) {
  const { headers, name, patch = false, path, rounds } = kind
  const connection = await openHttpConnection(server.port)
  const ask = async (round) => {
    const bytes = requestBytes({
      method: patch ? 'PATCH' : 'GET',
      path: path(round),
      sdk_key,
      headers,
      ...(patch && { body: { rollout_percentage: round % 100 } }),
    })
    const from = monotonicMs()
    const { status, body } = await connection.send(bytes)
    if (status !== 200) throw new Error(`${name} returned ${status}: ${body}`)
    return { from, to: monotonicMs(), bytes: body.length }
  }
  for (let round = 0; round < WARM_UP_ROUNDS; round++) await ask(round)
  const health = await watchHealth(server.port)
  const requested = []
  for (let round = 0; round < rounds; round++) requested.push(await ask(round))
  const replies = await health.stop()
  connection.close()
  return [
    name,
    ...toCells(requested),
    figure(requested.at(-1).bytes / BYTES_PER_KB, 'KB'),
    slowest(replies, requested),
  ]
}

const STREAM_COLUMNS = ['What', 'p50', 'p99', 'slowest /health meanwhile']

async function measureStreams(server, environment, rounds) {
  const reader = startStreamReader()
  const connection = await openHttpConnection(server.port)
  const target = { port: server.port, sdk_key: environment.sdk_key }
  const change = (mark) => connection.send(patchRequest(environment, `${mark}z`))
  const pollSnapshot = (headers) =>
    connection.send(
      requestBytes({ method: 'GET', path: '/flags/snapshot', sdk_key: target.sdk_key, headers }),
    )
  try {
    const health = await watchHealth(server.port)
    const open = () => timed(() => reader.open([target]))
    const first = [await open()]
    const known = await repeat(rounds.big, open)
    const afterChange = await repeat(rounds.big, async (round) => {
      await change(`opened-${round}`)
      return open()
    })
    const updates = await repeat(rounds.big, (round) =>
      propagate(reader, connection, environment, `mark-${round}`),
    )
    const polls = await repeat(rounds.big, async (round) => {
      await change(`polled-${round}`)
      return timed(() => pollSnapshot())
    })
    const gzipPolls = await repeat(rounds.big, async (round) => {
      await change(`zipped-${round}`)
      return timed(() => pollSnapshot({ 'Accept-Encoding': 'gzip' }))
    })
    const replies = await health.stop()
    const row = (name, spans, goalMs) => [name, ...toCells(spans), slowest(replies, spans, goalMs)]
    return [
      row('stream opened until `ready`, the first of the environment', first, FIRST_GOAL_MS),
      row('stream opened until `ready`, nothing changed since the last', known),
      row('stream opened until `ready`, after a change', afterChange),
      row('PATCH until its update has come', updates),
      row('`/flags/snapshot` after a change', polls),
      row('`/flags/snapshot` after a change, gzip', gzipPolls),
    ]
  } finally {
    connection.close()
    await reader.close()
  }
}

async function propagate(reader, connection, environment, mark) {
  const { arrived } = await reader.lookOutFor(`${mark}z`)
  const from = monotonicMs()
  const [{ status, body }, { last_at }] = await Promise.all([
    connection.send(patchRequest(environment, `${mark}z`)),
    arrived,
  ])
  if (status !== 200) throw new Error(`PATCH returned ${status}: ${body}`)
  return { from, to: last_at }
}

const patchRequest = ({ environment_id, sdk_key }, description) =>
  requestBytes({
    method: 'PATCH',
    path: `/api/environments/${environment_id}/flags/${manyFlagKey(0)}`,
    sdk_key,
    body: { description },
  })

async function timed(work) {
  const from = monotonicMs()
  await work()
  return { from, to: monotonicMs() }
}

/** Repeats a step in sequence. */
async function repeat(rounds, once) {
  const spans = []
  for (let round = 0; round < rounds; round++) spans.push(await once(round))
  return spans
}

function toCells(spans) {
  const times = spans.map(({ from, to }) => to - from)
  return [figure(percentile(times, 50), 'ms'), figure(percentile(times, 99), 'ms')]
}

const slowest = (replies, spans, goalMs = INTERACTIVE_MS) =>
  figure(slowestDuring(replies, spans), 'ms', { atMost: goalMs })
