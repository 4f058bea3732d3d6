import { setTimeout as delay } from 'node:timers/promises'
import { firstEnvironment, seedFlags } from '../harness/installation.mjs'
import { residentBytes } from '../harness/process-usage.mjs'
import { figure } from '../harness/result-table.mjs'
import { startStreamReader } from './start-stream-reader.mjs'

const STREAMS = 10_000
const QUICK_STREAMS = 1_000
/** The streams whose heap is measured, which is exact to a hundredth. */
const HEAP_STREAMS = 2_000
const FLAGS = 100
/**
 * The streams that are opened and closed before the measurement, so that compiled code and memory of the
 * first use do not count.
 */
const WARM_UP_STREAMS = 500
const ACCEPT_GOAL = 5_000
const MEMORY_GOAL_KB = 14
const HEAP_GOAL_KB = 4.5
/** The time to settle: a full round of keep-alives, and time for the garbage collector. */
const SETTLE_MS = 30_000
const QUICK_SETTLE_MS = 5_000
const COMPARED_SETTLE_MS = 15_000
const BYTES_PER_KB = 1024
const MS_PER_SECOND = 1000

export const streams = {
  title: 'Streams: how fast they are accepted and what an idle one costs',
  sections: () => [
    {
      columns: [
        `Streams with a bootstrap of ${FLAGS} flags`,
        'until all have read `ready`',
        'accepted a second',
        'memory at rest before',
        'with the streams, at rest',
        'a stream',
      ],
      compared: ['a stream'],
      open: openResident,
    },
    {
      columns: ['Streams', 'heap before', 'with the streams', 'a stream'],
      compared: ['a stream'],
      open: openHeap,
    },
  ],
}

async function openResident(context) {
  const { isComparison, quick } = context
  const count = quick && !isComparison ? QUICK_STREAMS : STREAMS
  const settleMs = isComparison ? COMPARED_SETTLE_MS : quick ? QUICK_SETTLE_MS : SETTLE_MS
  const measure = async () => {
    const measured = await measureStreams(context, {
      count,
      settleMs,
      bytes: ({ pid }) => residentBytes(pid),
    })
    const { after, before, took_ms } = measured
    return [
      figure(took_ms, 'ms'),
      figure((count / took_ms) * MS_PER_SECOND, '', { atLeast: ACCEPT_GOAL }),
      figure(toMb(before), 'MB'),
      figure(toMb(after), 'MB'),
      figure((after - before) / count / BYTES_PER_KB, 'KB', { atMost: MEMORY_GOAL_KB }),
    ]
  }
  return { rows: [{ name: `${count.toLocaleString('en-US')}, resident`, measure }], close: async () => {} }
}

async function openHeap(context) {
  const measure = async () => {
    const { after, before } = await measureStreams(context, {
      ...{ count: HEAP_STREAMS, settleMs: QUICK_SETTLE_MS, showsHeap: true },
      bytes: (server) => server.heapBytes(),
    })
    return [
      figure(toMb(before), 'MB'),
      figure(toMb(after), 'MB'),
      figure((after - before) / HEAP_STREAMS / BYTES_PER_KB, 'KB', { atMost: HEAP_GOAL_KB }),
    ]
  }
  return {
    rows: [{ name: `${HEAP_STREAMS.toLocaleString('en-US')}, heap after a collection`, measure }],
    close: async () => {},
  }
}

/** Opens streams to a server of their own, and returns its bytes before and with them. */
async function measureStreams({ postgres, startServer }, { bytes, count, settleMs, showsHeap = false }) {
  const server = await startServer({ databaseUrl: await postgres.createDatabase(), showsHeap })
  const reader = startStreamReader()
  try {
    const environment = await firstEnvironment(server)
    await seedFlags(server, environment, FLAGS)
    const target = { port: server.port, sdk_key: environment.sdk_key }
    await openAndClose(Array(WARM_UP_STREAMS).fill(target))
    const before = await bytes(server)
    const took_ms = await reader.open(Array(count).fill(target))
    await delay(settleMs)
    return { before, after: await bytes(server), took_ms }
  } finally {
    await reader.close()
    await server.stop()
  }
}

async function openAndClose(targets) {
  const reader = startStreamReader()
  await reader.open(targets)
  await reader.close()
  await delay(MS_PER_SECOND)
}

const toMb = (bytes) => bytes / BYTES_PER_KB / BYTES_PER_KB
