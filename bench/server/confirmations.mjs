import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { firstEnvironment, flagKey, seedFlags } from '../harness/installation.mjs'
import { monotonicMs } from '../harness/monotonic-ms.mjs'
import { percentile } from '../harness/percentile.mjs'
import { figure } from '../harness/result-table.mjs'
import { stopProcess } from '../harness/stop-process.mjs'
import { measureFlood } from './confirmation-flood.mjs'
import { warmUp } from './warm-up.mjs'

const fileOf = (name) => fileURLToPath(new URL(name, import.meta.url))
const CLIENTS_FILE = fileOf('./confirming-clients.mjs')
const RELAY_FILE = fileOf('./stream-relay.mjs')
const SERVERS = 3
const CLIENTS = 1_000
/** The processes of the clients: one would apply a change for all of them one after another. */
const PROCESSES = 2
const WRITES = 100
const QUICK_WRITES = 20
const WARM_UP_WRITES = 300
/** The first writes, which compile the code of servers and clients. */
const UNMEASURED = 10
const FLAGS = 10
/** The index of a seeded flag of text type without rules and with a full rollout. */
const TEXT_FLAG = 7
const LONGEST_PAUSE_MS = 300
const READ_EVERY_MS = 20
const TIMEOUT_MS = 30_000
const COUNTED_GOAL_MS = 2_000
/** The most by which a latency that is shown may differ from that of the clients' own records. */
const DIFFERENCE_GOAL_MS = 1
/** The most by which the clients' own record may exceed that of clients of a bare loop. */
const LOOP_GOAL = { atMost: 1.2 }

export const confirmations = {
  title: 'Confirmations: how fast and how exactly SDKs are counted',
  async run(context) {
    const { progress } = context
    progress(`${CLIENTS} SDK clients on ${SERVERS} servers`)
    const counted = await measureCounting(context)
    progress('a flood of confirmations')
    const flood = await measureFlood(context)
    return [counted, flood]
  },
}

async function measureCounting({ postgres, quick, startServer }) {
  const writes = quick ? QUICK_WRITES : WRITES
  const databaseUrl = await postgres.createDatabase()
  const servers = []
  // One after the other: the first sets the installation up.
  for (let at = 0; at < SERVERS; at++) servers.push(await startServer({ databaseUrl }))
  const environment = await firstEnvironment(servers[0])
  await seedFlags(servers[0], environment, FLAGS)
  await warmUp(servers[0], [environment], WARM_UP_WRITES)
  const processes = await startClients(
    servers.map(({ url }) => url),
    environment,
  )
  const relay = fork(RELAY_FILE, [String(servers[0].port), environment.sdk_key])
  const [{ port }] = await once(relay, 'message')
  const ofRelay = await startClients([`http://127.0.0.1:${port}`], environment)
  try {
    await untilCounted(servers[0], environment, undefined)
    const measured = []
    for (let nth = -UNMEASURED; nth < writes; nth++) {
      const value = `value ${nth}`
      const one = await measureWrite({ servers, processes, environment }, value)
      const loop = await measureLoop(relay, ofRelay, value)
      if (nth >= 0) measured.push({ ...one, loop })
      await delay(Math.random() * LONGEST_PAUSE_MS)
    }
    return { columns: COLUMNS, rows: [toRow(measured)] }
  } finally {
    await Promise.all([...processes, ...ofRelay, relay].map((child) => stopProcess(child)))
    await Promise.all(servers.map((server) => server.stop()))
  }
}

/** Starts the processes of the clients, which are connected to the URLs in turn. */
async function startClients(urls, { sdk_key }) {
  const share = CLIENTS / PROCESSES
  const processes = Array.from({ length: PROCESSES }, (_, nth) =>
    fork(CLIENTS_FILE, [urls.join(','), sdk_key, flagKey(TEXT_FLAG), share, nth * share].map(String)),
  )
  await Promise.all(processes.map((child) => once(child, 'message')))
  return processes
}

/** Asks the clients when they had applied a value. */
async function timesOf(processes, value) {
  const times = await Promise.all(
    processes.map(async (child) => {
      child.send({ value })
      const [reply] = await once(child, 'message')
      return reply.times
    }),
  )
  return times.flat()
}

/** Lets the bare loop write the last change to as many clients: p99 until a client has applied it. */
async function measureLoop(relay, processes, value) {
  relay.send('write')
  const [from] = await once(relay, 'message')
  const applied = []
  const end = monotonicMs() + TIMEOUT_MS
  while (applied.length < CLIENTS) {
    if (monotonicMs() > end) throw new Error(`${applied.length} clients of the bare loop applied ${value}`)
    await delay(READ_EVERY_MS * 10)
    applied.push(...(await timesOf(processes, value)))
  }
  return percentile(
    applied.map((at) => at - from),
    99,
  )
}

const COLUMNS = [
  'Servers, clients, writes',
  'writes with every client counted',
  'counted after the response, longest',
  'shown p99: median of the writes',
  'longest',
  'own record of the clients, p99: median',
  'shown p99 below the own record, at most',
  'above it, at most',
  'a bare loop to as many SDK clients, p99: median',
  'own record to that of the loop',
]

/** Writes through one server, and reads the count of another one. */
async function measureWrite({ environment, processes, servers }, value) {
  const any = () => servers[Math.floor(Math.random() * servers.length)]
  const revision = await write(any(), environment, value)
  const from = monotonicMs()
  const report = await untilCounted(any(), environment, revision)
  const countedMs = monotonicMs() - from
  // The clients' confirmations of other servers are stored once a second.
  const { committed_at, latency_ms } = await untilMeasured(any(), environment, revision, report)
  const times = await timesOf(processes, value)
  const own = times.map((at) => at - Date.parse(committed_at))
  return { countedMs, shown: latency_ms.p99, own: percentile(own, 99), applied: own.length }
}

async function write({ url }, { environment_id, sdk_key }, default_value) {
  const reply = await fetch(`${url}/api/environments/${environment_id}/flags/${flagKey(TEXT_FLAG)}`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${sdk_key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ default_value }),
  })
  if (reply.status !== 200) throw new Error(`PATCH returned ${reply.status}`)
  return (await reply.json()).revision
}

async function readReport({ url }, { environment_id, sdk_key }, revision) {
  const query = revision === undefined ? '' : `?revision=${revision}`
  const reply = await fetch(`${url}/api/environments/${environment_id}/propagation${query}`, {
    headers: { authorization: `Bearer ${sdk_key}` },
  })
  if (reply.status !== 200) throw new Error(`GET propagation returned ${reply.status}`)
  return reply.json()
}

async function untilCounted(server, environment, revision) {
  const end = monotonicMs() + TIMEOUT_MS
  for (;;) {
    const report = await readReport(server, environment, revision)
    if (report.clients.current === CLIENTS) return report
    if (monotonicMs() > end) throw new Error(`counted ${JSON.stringify(report.clients)}`)
    await delay(READ_EVERY_MS)
  }
}

/** Reads on until the latencies of all clients are there: two reads in a second with the same figures. */
async function untilMeasured(server, environment, revision, report) {
  let last = report
  for (;;) {
    await delay(1_100)
    const next = await readReport(server, environment, revision)
    if (JSON.stringify(next.latency_ms) === JSON.stringify(last.latency_ms)) return next
    last = next
  }
}

function toRow(measured) {
  const all = (pick) => measured.map(pick)
  const median = (pick) => percentile(all(pick), 50)
  const complete = measured.filter(({ applied }) => applied === CLIENTS).length
  const difference = { atMost: DIFFERENCE_GOAL_MS }
  return [
    `${SERVERS}, ${CLIENTS.toLocaleString('en-US')}, ${measured.length}`,
    figure((complete / measured.length) * 100, '%', { atLeast: 100 }),
    figure(Math.max(...all(({ countedMs }) => countedMs)), 'ms', { atMost: COUNTED_GOAL_MS }),
    figure(
      median(({ shown }) => shown),
      'ms',
    ),
    figure(Math.max(...all(({ shown }) => shown)), 'ms'),
    figure(
      median(({ own }) => own),
      'ms',
    ),
    figure(Math.max(...all(({ own, shown }) => own - shown)), 'ms', difference),
    figure(Math.max(...all(({ own, shown }) => shown - own)), 'ms', difference),
    figure(
      median(({ loop }) => loop),
      'ms',
    ),
    figure(
      median(({ loop, own }) => own / loop),
      '',
      LOOP_GOAL,
    ),
  ]
}
