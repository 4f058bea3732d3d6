import { spawn } from 'node:child_process'
import { openHttpConnection, patchBytes, requestBytes } from '../harness/http-connection.mjs'
import { createEnvironments, firstEnvironment, login } from '../harness/installation.mjs'
import { monotonicMs } from '../harness/monotonic-ms.mjs'
import { percentile } from '../harness/percentile.mjs'
import { figure } from '../harness/result-table.mjs'
import { sendImpressions } from './ingest.mjs'
import { startStreamReader } from './start-stream-reader.mjs'

const USERS_MAX = 100_000
const USERS = 10_000
const DEPENDANTS = 20
const STREAMS = 1_000
/** The users of one request, and those that the server stores in a second: it ignores what is too much. */
const REPORTED = 500
const STORED_A_SECOND = 20_000
const ROUNDS = { changes: 200, impacts: 100, ingestMs: 5_000, ingests: 5 }
const QUICK_ROUNDS = { changes: 60, impacts: 10, ingestMs: 2_000, ingests: 3 }
const WARM_UP_CHANGES = 30
const IMPACT_GOAL = { atMost: 300 }
const FULL_GOAL = { atMost: 2_000 }
const SLOWER_GOAL = { atMost: 10 }
/** The windows without and with impacts, in turns. */
const TURNS = 5
const BUSY_LOOPS = 2
const INGEST_GOAL = { atLeast: 97 }
const MS_PER_SECOND = 1000

export const impact = {
  title: 'Impact: users before and after a change, and what it costs others',
  async run({ postgres, quick, progress, startServer }) {
    const rounds = quick ? QUICK_ROUNDS : ROUNDS
    const env = { SEEN_USERS_MAX: String(USERS_MAX) }
    const server = await startServer({ databaseUrl: await postgres.createDatabase(), env })
    try {
      const environment = await firstEnvironment(server)
      progress('flags and users')
      await seed(server, environment)
      const tables = [await measureImpacts(server, environment, { rounds, progress })]
      progress(`changes to ${STREAMS} streams`)
      tables.push(await measureStreams(server, environment, rounds))
      progress('ingest')
      tables.push(
        await measureIngest(await startServer({ databaseUrl: await postgres.createDatabase() }), rounds),
      )
      return tables
    } finally {
      await server.stop()
    }
  },
}

/** Creates a flag, those that require it, and one that nothing requires. */
async function seed({ port }, environment) {
  const rules = [{ attribute: 'plan', operator: 'equals', values: ['pro'] }]
  const dependants = Array.from({ length: DEPENDANTS }, (_, nth) => ({
    ...{ key: `dependant-${nth}`, is_enabled: true, rollout_percentage: 50 },
    prerequisites: [{ flag_key: 'root' }],
  }))
  const root = { key: 'root', is_enabled: true, rollout_percentage: 0, rules }
  const flags = [root, ...dependants, { key: 'other', is_enabled: true }]
  const connection = await openHttpConnection(port)
  await sendOk(connection, post(environment, 'apply', { flags }))
  connection.close()
}

const post = ({ environment_id, sdk_key }, path, body) =>
  requestBytes({ method: 'POST', path: `/api/environments/${environment_id}/${path}`, sdk_key, body })

async function sendOk(connection, bytes) {
  const response = await connection.send(bytes)
  if (response.status >= 300) throw new Error(`the server returned ${response.status}: ${response.body}`)
  return response.body === '' ? null : JSON.parse(response.body)
}

/** Reports an evaluation of each of the first users. */
async function reportUsers({ port }, environment, count) {
  const connection = await openHttpConnection(port)
  const evaluated_at = new Date().toISOString()
  for (let first = 0; first < count; first += REPORTED) {
    const body = Array.from({ length: REPORTED }, (_, nth) => ({
      ...{ flag_key: 'root', user_id: `user-${first + nth}`, value: 'true', evaluated_at },
    }))
    await sendOk(connection, post(environment, 'impressions', body))
    if ((first + REPORTED) % STORED_A_SECOND === 0)
      await new Promise((resolve) => setTimeout(resolve, MS_PER_SECOND))
  }
  connection.close()
}

const patchRoot = (patch) => ({ changes: [{ flag_key: 'root', operation: 'patch', patch }] })
const withPlans = (share) =>
  Array.from({ length: USERS }, (_, nth) => ({
    user_key: `user-${nth}`,
    attributes: { plan: nth % 100 < share ? 'pro' : 'free' },
  }))

async function measureImpacts(server, environment, { progress, rounds }) {
  const { impacts } = rounds
  const rows = []
  const measure = async (name, body, { count, goal }) => {
    progress(name)
    rows.push([name, ...(await timesOf(server, environment, { body, count, goal }))])
  }
  await measure(
    '10,000 given users, 7% move',
    { ...patchRoot({ rules: [] }), users: withPlans(7) },
    {
      count: impacts,
      goal: IMPACT_GOAL,
    },
  )
  await measure(
    '10,000 given users, 43% move',
    { ...patchRoot({ rules: [] }), users: withPlans(43) },
    {
      count: impacts,
      goal: IMPACT_GOAL,
    },
  )
  await reportUsers(server, environment, USERS)
  await untilKnown(server, environment, USERS)
  await measure('10,000 seen users without attributes', patchRoot({ rollout_percentage: 30 }), {
    count: impacts,
    goal: IMPACT_GOAL,
  })
  await measure('10,000 seen users, all may move', patchRoot({ is_enabled: false }), {
    count: impacts,
    goal: IMPACT_GOAL,
  })
  await reportUsers(server, environment, USERS_MAX)
  await untilKnown(server, environment, USERS_MAX)
  const count = Math.ceil(impacts / 5)
  await measure('100,000 seen users without attributes', patchRoot({ rollout_percentage: 30 }), {
    count,
    goal: FULL_GOAL,
  })
  await measure('100,000 seen users, all may move', patchRoot({ is_enabled: false }), {
    count,
    goal: FULL_GOAL,
  })
  const columns = [`Users, and a flag with ${DEPENDANTS} dependants`, 'p50', 'p95', 'users counted']
  return { columns, rows }
}

async function untilKnown({ port }, environment, wanted) {
  const connection = await openHttpConnection(port)
  const end = monotonicMs() + 120_000
  for (;;) {
    const { users } = await sendOk(
      connection,
      post(environment, 'impact', patchRoot({ rollout_percentage: 1 })),
    )
    if (users.known >= wanted * 0.99) return connection.close()
    if (monotonicMs() > end) throw new Error(`only ${users.known} of ${wanted} users became known`)
    await new Promise((resolve) => setTimeout(resolve, MS_PER_SECOND))
  }
}

async function timesOf({ port }, environment, { body, count, goal }) {
  const connection = await openHttpConnection(port)
  const bytes = post(environment, 'impact', body)
  const times = []
  let known = 0
  for (let round = 0; round < count + 2; round++) {
    const from = monotonicMs()
    const { users } = await sendOk(connection, bytes)
    known = users.known
    if (round >= 2) times.push(monotonicMs() - from)
  }
  connection.close()
  return [figure(percentile(times, 50), 'ms'), figure(percentile(times, 95), 'ms', goal), figure(known, '')]
}

/**
 * Measures changes until the last stream has them, in turns alone and while one impact follows another:
 * first on the machine as it is, then beside two processes that are always busy.
 */
async function measureStreams(server, environment, rounds) {
  const reader = startStreamReader()
  const connection = await openHttpConnection(server.port)
  const change = (description) => changeOnce(connection, reader, environment, description)
  try {
    await reader.open(Array.from({ length: STREAMS }, () => ({ port: server.port, ...environment })))
    for (let at = 0; at < WARM_UP_CHANGES; at++) await change(`warm-${at}z`)
    const rows = []
    for (const busy of [0, BUSY_LOOPS]) {
      const loops = Array.from({ length: busy }, () => spawn(process.execPath, ['-e', 'for (;;);']))
      try {
        rows.push(...turnRows(busy, await measureTurns(server, environment, { change, rounds, busy })))
      } finally {
        for (const loop of loops) loop.kill('SIGKILL')
      }
    }
    return { columns: TURN_COLUMNS, rows }
  } finally {
    connection.close()
    await reader.close()
  }
}

async function measureTurns(server, environment, { busy, change, rounds: { changes } }) {
  const measured = { alone: [], beside: [], impacts: 0 }
  const window = async (times, name) => {
    for (let at = 0; at < changes / TURNS; at++) times.push(await change(`${name}-${busy}-${at}z`))
  }
  for (let turn = 0; turn < TURNS; turn++) {
    await window(measured.alone, `alone-${turn}`)
    const load = await startImpacts(server, environment)
    await window(measured.beside, `beside-${turn}`)
    measured.impacts += await load.stop()
  }
  return measured
}

const TURN_COLUMNS = [
  `A change, until the last of ${STREAMS} streams has it`,
  'p50',
  'p99',
  'p99 more',
  'impacts that ended',
]

function turnRows(busy, { alone, beside, impacts }) {
  const times = (values) => [figure(percentile(values, 50), 'ms'), figure(percentile(values, 99), 'ms')]
  const where = busy === 0 ? '' : `, beside ${busy} busy loops`
  const slower = percentile(beside, 99) - percentile(alone, 99)
  return [
    [`alone${where}`, ...times(alone), '', ''],
    [
      `while impacts run one after another${where}`,
      ...times(beside),
      figure(slower, 'ms', SLOWER_GOAL),
      figure(impacts, ''),
    ],
  ]
}

async function changeOnce(connection, reader, environment, description) {
  const { arrived } = await reader.lookOutFor(description)
  const from = monotonicMs()
  const [, { last_at }] = await Promise.all([
    sendOk(connection, patchBytes(environment, 'other', { description })),
    arrived,
  ])
  await new Promise((resolve) => setTimeout(resolve, 20))
  return last_at - from
}

async function startImpacts({ port }, environment) {
  const connection = await openHttpConnection(port)
  const bytes = post(environment, 'impact', patchRoot({ is_enabled: false }))
  let [count, isStopped] = [0, false]
  const running = (async () => {
    for (; !isStopped; count++) await sendOk(connection, bytes)
  })()
  return {
    async stop() {
      isStopped = true
      await running
      connection.close()
      return count
    },
  }
}

/**
 * Measures ingest into two environments in turn, so that a slow moment of the machine is not that of one
 * setting. The first round stores the users, and is not counted.
 */
async function measureIngest(server, { ingestMs, ingests }) {
  try {
    const rates = { off: [], keys: [] }
    const environments = await createEnvironments(server, 2)
    const { cookie } = await login(server)
    await setSeenUsers(server, cookie, { ...environments[0], seen_users: 'off' })
    for (let round = 0; round <= ingests; round++) {
      for (const [at, measured] of [rates.off, rates.keys].entries()) {
        const options = { batch: REPORTED, senders: 8, duration_ms: ingestMs }
        const { times, took_ms } = await sendImpressions(server, environments[at], options)
        if (round > 0) measured.push(((times.length * REPORTED) / took_ms) * MS_PER_SECOND)
      }
    }
    const [off, keys] = [percentile(rates.off, 50), percentile(rates.keys, 50)]
    return {
      columns: ['Ingest, by `seen_users`', 'rows a second', 'of `off`'],
      rows: [
        ['off', figure(off, ''), ''],
        ['keys', figure(keys, ''), figure((keys / off) * 100, '%', INGEST_GOAL)],
      ],
    }
  } finally {
    await server.stop()
  }
}

async function setSeenUsers({ url }, cookie, { environment_id, project_id, seen_users }) {
  const response = await fetch(`${url}/api/projects/${project_id}/environments/${environment_id}`, {
    method: 'PATCH',
    headers: { cookie, 'content-type': 'application/json', 'x-flagservice-request': 'true' },
    body: JSON.stringify({ seen_users }),
  })
  if (!response.ok) throw new Error(`PATCH of the environment returned ${response.status}`)
}
