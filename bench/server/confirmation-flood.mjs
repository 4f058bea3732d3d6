import { setTimeout as delay } from 'node:timers/promises'
import { firstEnvironment, flagKey, seedFlags } from '../harness/installation.mjs'
import { monotonicMs } from '../harness/monotonic-ms.mjs'
import { percentile } from '../harness/percentile.mjs'
import { processorMs } from '../harness/process-usage.mjs'
import { figure } from '../harness/result-table.mjs'
import { startStreamReader } from './start-stream-reader.mjs'
import { warmUp } from './warm-up.mjs'

const CLIENTS = 10_000
const QUICK_CLIENTS = 2_000
const FLAGS = 10
const WARM_UP_WRITES = 300
const CHANGES = 3
const UNMEASURED = 1
/** The time in which the processor is watched, which is also the bound of a flood. */
const WATCHED_MS = 6_000
/** The time in which the processor is watched without a change. */
const IDLE_MS = 2_000
const SAMPLE_MS = 500
const PROCESSOR_GOAL_PERCENT = 25
const TIMEOUT_MS = 30_000

/**
 * Measures what confirmations cost: every client has a stream, and sends its confirmation on a connection of
 * its own at a random moment of the time that the server allows.
 */
export async function measureFlood({ postgres, quick, startServer }) {
  const clients = quick ? QUICK_CLIENTS : CLIENTS
  const server = await startServer({ databaseUrl: await postgres.createDatabase() })
  const reader = startStreamReader()
  try {
    const environment = await firstEnvironment(server)
    await seedFlags(server, environment, FLAGS)
    await warmUp(server, [environment], WARM_UP_WRITES)
    const target = { port: server.port, sdk_key: environment.sdk_key, isConfirming: true }
    await reader.open(Array(clients).fill(target))
    await untilCurrent(server, environment, clients)
    const measured = []
    for (let nth = -UNMEASURED; nth < CHANGES; nth++) {
      const idleMs = await usedMs(server, IDLE_MS)
      const one = await measureChange({ server, reader, environment, clients, idleMs }, `mark${nth}z`)
      if (nth >= 0) measured.push(one)
    }
    return { columns: COLUMNS, rows: [toRow(clients, measured)] }
  } finally {
    await reader.close()
    await server.stop()
  }
}

const COLUMNS = [
  'Clients, changes',
  'time that the server allows',
  'until every client was counted, longest',
  'processor: server, 6 s after the change without its delivery',
  'of that in the busiest half second',
  'a confirmation',
]

async function measureChange({ clients, environment, idleMs, reader, server }, mark) {
  const { arrived } = await reader.lookOutFor(mark)
  const revision = await write(server, environment, mark)
  await arrived
  const from = monotonicMs()
  const used = []
  for (let passed = 0; passed < WATCHED_MS; passed += SAMPLE_MS) used.push(await usedMs(server, SAMPLE_MS))
  const { spreadMs } = await reader.confirmed()
  await untilCurrent(server, environment, clients, revision)
  const floodMs = used.reduce((sum, ms) => sum + ms, 0) - (idleMs * WATCHED_MS) / IDLE_MS
  return { countedMs: monotonicMs() - from, floodMs, busiestMs: Math.max(...used), spreadMs }
}

async function usedMs({ pid }, ms) {
  const before = processorMs(pid)
  await delay(ms)
  return processorMs(pid) - before
}

async function write({ url }, { environment_id, sdk_key }, description) {
  const response = await fetch(`${url}/api/environments/${environment_id}/flags/${flagKey(0)}`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${sdk_key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ description }),
  })
  if (response.status !== 200) throw new Error(`PATCH returned ${response.status}`)
  return (await response.json()).revision
}

async function untilCurrent({ url }, { environment_id, sdk_key }, clients, revision = undefined) {
  const query = revision === undefined ? '' : `?revision=${revision}`
  const end = monotonicMs() + TIMEOUT_MS
  for (;;) {
    const response = await fetch(`${url}/api/environments/${environment_id}/propagation${query}`, {
      headers: { authorization: `Bearer ${sdk_key}` },
    })
    const report = await response.json()
    if (report.clients.current === clients) return
    if (monotonicMs() > end) throw new Error(`counted ${JSON.stringify(report.clients)}`)
    await delay(SAMPLE_MS)
  }
}

function toRow(clients, measured) {
  const all = (pick) => measured.map(pick)
  const flood = percentile(
    all(({ floodMs }) => floodMs),
    50,
  )
  return [
    `${clients.toLocaleString('en-US')}, ${measured.length}`,
    figure(measured.at(-1).spreadMs, 'ms'),
    figure(Math.max(...all(({ countedMs }) => countedMs)), 'ms'),
    figure((flood / WATCHED_MS) * 100, '%', { atMost: PROCESSOR_GOAL_PERCENT }),
    figure((Math.max(...all(({ busiestMs }) => busiestMs)) / SAMPLE_MS) * 100, '%'),
    figure((flood / clients) * 1_000, 'µs'),
  ]
}
