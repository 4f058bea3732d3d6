import { setTimeout as delay } from 'node:timers/promises'
import { firstEnvironment, seedFlags } from '../harness/installation.mjs'
import { residentBytes } from '../harness/process-usage.mjs'
import { figure } from '../harness/result-table.mjs'
import { startServer } from '../harness/start-server.mjs'
import { startStreamReader } from './start-stream-reader.mjs'

const STREAMS = 10_000
const QUICK_STREAMS = 1_000
const FLAGS = 100
/**
 * The streams that are opened and closed before the measurement, so that compiled code and memory of the
 * first use do not count.
 */
const WARM_UP_STREAMS = 500
const ACCEPT_GOAL = 5_000
const MEMORY_GOAL_KB = 14
/** The time to settle: a full round of keep-alives, and time for the garbage collector. */
const SETTLE_MS = 30_000
const QUICK_SETTLE_MS = 5_000
const BYTES_PER_KB = 1024
const MS_PER_SECOND = 1000

export const streams = {
  title: 'Streams: how fast they are accepted and what an idle one costs',
  async run({ postgres, quick, progress }) {
    const count = quick ? QUICK_STREAMS : STREAMS
    const server = await startServer({ databaseUrl: await postgres.createDatabase() })
    try {
      const environment = await firstEnvironment(server)
      await seedFlags(server, environment, FLAGS)
      const target = { port: server.port, sdk_key: environment.sdk_key }
      await openAndClose(Array(WARM_UP_STREAMS).fill(target))
      progress(`opening ${count} streams`)
      const measured = await measure(server, Array(count).fill(target), quick ? QUICK_SETTLE_MS : SETTLE_MS)
      return [{ columns: COLUMNS, rows: [toRow(count, measured)] }]
    } finally {
      await server.stop()
    }
  },
}

const COLUMNS = [
  'Streams',
  'until all have read `ready`',
  'accepted a second',
  'memory at rest before',
  'with the streams, at rest',
  'a stream',
]

async function openAndClose(targets) {
  const reader = startStreamReader()
  await reader.open(targets)
  await reader.close()
  await delay(MS_PER_SECOND)
}

async function measure({ pid }, targets, settleMs) {
  const before = residentBytes(pid)
  const reader = startStreamReader()
  try {
    const took_ms = await reader.open(targets)
    await delay(settleMs)
    return { before, after: residentBytes(pid), took_ms }
  } finally {
    await reader.close()
  }
}

function toRow(count, { after, before, took_ms }) {
  const aStream = (after - before) / count / BYTES_PER_KB
  return [
    `${count.toLocaleString('en-US')}, each with a bootstrap of ${FLAGS} flags`,
    figure(took_ms, 'ms'),
    figure((count / took_ms) * MS_PER_SECOND, '', { atLeast: ACCEPT_GOAL }),
    figure(toMb(before), 'MB'),
    figure(toMb(after), 'MB'),
    figure(aStream, 'KB', { atMost: MEMORY_GOAL_KB }),
  ]
}

const toMb = (bytes) => bytes / BYTES_PER_KB / BYTES_PER_KB
