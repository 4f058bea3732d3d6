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

const CLIENTS_FILE = fileURLToPath(new URL('./confirming-clients.mjs', import.meta.url))
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
const LATENCY_GOAL_MS = 50
/** The most by which a latency that is shown may be below that of the clients' own records. */
const BELOW_GOAL_MS = 1

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
  const urls = servers.map(({ url }) => url).join(',')
  const share = CLIENTS / PROCESSES
  const processes = Array.from({ length: PROCESSES }, (_, nth) =>
    fork(CLIENTS_FILE, [urls, environment.sdk_key, flagKey(TEXT_FLAG), share, nth * share].map(String)),
  )
  try {
    await Promise.all(processes.map((child) => once(child, 'message')))
    await untilCounted(servers[0], environment, undefined)
    const measured = []
    for (let nth = -UNMEASURED; nth < writes; nth++) {
      const one = await measureWrite({ servers, processes, environment }, `value ${nth}`)
      if (nth >= 0) measured.push(one)
      await delay(Math.random() * LONGEST_PAUSE_MS)
    }
    return { columns: COLUMNS, rows: [toRow(measured)] }
  } finally {
    await Promise.all(processes.map((child) => stopProcess(child)))
    await Promise.all(servers.map((server) => server.stop()))
  }
}

const COLUMNS = [
  'Servers, clients, writes',
  'writes with every client counted',
  'counted after the response, longest',
  'shown p99: median of the writes',
  'longest',
  'own record of the clients, p99: median',
  'shown p99 below the own record, at most',
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
  const times = await Promise.all(
    processes.map(async (child) => {
      child.send({ value })
      const [answer] = await once(child, 'message')
      return answer.times
    }),
  )
  const own = times.flat().map((at) => at - Date.parse(committed_at))
  return { countedMs, shown: latency_ms.p99, own: percentile(own, 99), applied: own.length }
}

async function write({ url }, { environment_id, sdk_key }, default_value) {
  const answer = await fetch(`${url}/api/environments/${environment_id}/flags/${flagKey(TEXT_FLAG)}`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${sdk_key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ default_value }),
  })
  if (answer.status !== 200) throw new Error(`PATCH returned ${answer.status}`)
  return (await answer.json()).revision
}

async function readReport({ url }, { environment_id, sdk_key }, revision) {
  const query = revision === undefined ? '' : `?revision=${revision}`
  const answer = await fetch(`${url}/api/environments/${environment_id}/propagation${query}`, {
    headers: { authorization: `Bearer ${sdk_key}` },
  })
  if (answer.status !== 200) throw new Error(`GET propagation returned ${answer.status}`)
  return answer.json()
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
  const complete = measured.filter(({ applied }) => applied === CLIENTS).length
  return [
    `${SERVERS}, ${CLIENTS.toLocaleString('en-US')}, ${measured.length}`,
    figure((complete / measured.length) * 100, '%', { atLeast: 100 }),
    figure(Math.max(...all(({ countedMs }) => countedMs)), 'ms', { atMost: COUNTED_GOAL_MS }),
    figure(
      percentile(
        all(({ shown }) => shown),
        50,
      ),
      'ms',
      { atMost: LATENCY_GOAL_MS },
    ),
    figure(Math.max(...all(({ shown }) => shown)), 'ms'),
    figure(
      percentile(
        all(({ own }) => own),
        50,
      ),
      'ms',
    ),
    figure(Math.max(...all(({ own, shown }) => own - shown)), 'ms', { atMost: BELOW_GOAL_MS }),
  ]
}
