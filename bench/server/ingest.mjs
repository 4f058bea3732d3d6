import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openHttpConnection, requestBytes } from '../harness/http-connection.mjs'
import { firstEnvironment } from '../harness/installation.mjs'
import { monotonicMs } from '../harness/monotonic-ms.mjs'
import { percentile } from '../harness/percentile.mjs'
import { processorMs, residentBytes } from '../harness/process-usage.mjs'
import { figure } from '../harness/result-table.mjs'
import { startServer } from '../harness/start-server.mjs'

const USERS = 200_000
const FLAGS = 20
const BATCHES = [1, 50, 500]
const SENDERS = [1, 8, 64]
const MS = 10_000
const QUICK_MS = 2_000
const WARM_UP_MS = 2_000
/** The number of different bodies, which are built before the measurement and sent in turn. */
const BODIES = 400
const GOAL = { atLeast: 40_000 }
const GOAL_BATCH = 500
const MS_PER_SECOND = 1000
const BYTES_PER_MB = 1e6

export const ingest = {
  title:
    'Ingest: impressions a second into one environment, each request committed with its rollups before its 204',
  async run({ postgres, quick, progress }) {
    const rows = []
    for (const batch of BATCHES) {
      for (const senders of SENDERS) {
        progress(`batches of ${batch}, ${senders} senders`)
        rows.push(await measure(postgres, { batch, senders, duration_ms: quick ? QUICK_MS : MS }))
      }
    }
    progress('the embedded database')
    const embedded = await measureEmbedded({
      batch: GOAL_BATCH,
      senders: 8,
      duration_ms: quick ? QUICK_MS : MS,
    })
    progress('memory')
    const memory = await measureMemory(postgres, quick ? QUICK_MEMORY : MEMORY)
    return [
      {
        columns: COLUMNS,
        rows: [...rows, ['on the embedded database:', ...COLUMNS.slice(1).map(() => '')], embedded],
      },
      { columns: ['8 senders of 500 items without a pause', 'resident memory of the server'], rows: memory },
    ]
  },
}

const COLUMNS = [
  'Items a request',
  'senders',
  'rows a second',
  'p50',
  'p99',
  'processor: server',
  'memory of the server, growth',
]

/** Measures each with empty tables. */
async function measure(postgres, run) {
  return measureServer(await startServer({ databaseUrl: await postgres.createDatabase() }), run)
}

async function measureEmbedded(run) {
  const folder = mkdtempSync(join(tmpdir(), 'burgee-bench-'))
  // PostgreSQL runs under another account than root and must reach its data folder.
  chmodSync(folder, 0o711)
  try {
    return await measureServer(await startServer({ dataDir: join(folder, 'data') }), run)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function measureServer(server, { batch, duration_ms, senders }) {
  try {
    const environment = await firstEnvironment(server)
    await sendImpressions(server, environment, { batch, senders, duration_ms: WARM_UP_MS })
    const memoryBefore = residentBytes(server.pid)
    const processorBefore = processorMs(server.pid)
    const { times, took_ms } = await sendImpressions(server, environment, { batch, senders, duration_ms })
    const isGoal = batch === GOAL_BATCH && senders > 1
    return [
      String(batch),
      figure(senders, ''),
      figure(((times.length * batch) / took_ms) * MS_PER_SECOND, '', isGoal ? GOAL : undefined),
      figure(percentile(times, 50), 'ms'),
      figure(percentile(times, 99), 'ms'),
      figure(((processorMs(server.pid) - processorBefore) / took_ms) * 100, '%'),
      figure((residentBytes(server.pid) - memoryBefore) / BYTES_PER_MB, 'MB'),
    ]
  } finally {
    await server.stop()
  }
}

/** The memory run. The first minute is not growth: code is compiled, and pools and buffers are filled. */
const MEMORY = { settleMs: 60_000, minutes: 5, minuteMs: 60_000 }
const QUICK_MEMORY = { settleMs: 5_000, minutes: 2, minuteMs: 5_000 }
const MEMORY_GOAL = { atMost: 50 }

async function measureMemory(postgres, { minuteMs, minutes, settleMs }) {
  const server = await startServer({ databaseUrl: await postgres.createDatabase() })
  try {
    const environment = await firstEnvironment(server)
    const send = (duration_ms) =>
      sendImpressions(server, environment, { batch: 500, senders: 8, duration_ms })
    await send(settleMs)
    const settled = residentBytes(server.pid)
    const rows = [['after the first minute', figure(settled / BYTES_PER_MB, 'MB')]]
    for (let minute = 1; minute <= minutes; minute++) {
      await send(minuteMs)
      rows.push([`${minute} min later`, figure(residentBytes(server.pid) / BYTES_PER_MB, 'MB')])
    }
    const growth = (residentBytes(server.pid) - settled) / BYTES_PER_MB
    return [...rows, ['growth', figure(growth, 'MB', MEMORY_GOAL)]]
  } finally {
    await server.stop()
  }
}

/**
 * Sends impressions. Each sender has its own connection and sends the next batch after the last response.
 * Returns the duration of each response.
 */
export async function sendImpressions({ port }, environment, { batch, duration_ms, pauseMs = 0, senders }) {
  const bodies = Array.from({ length: BODIES }, () => impressionBytes(environment, batch))
  const startedAt = monotonicMs()
  const times = []
  await Promise.all(
    Array.from({ length: senders }, async (_, sender) => {
      const connection = await openHttpConnection(port)
      for (let at = sender; monotonicMs() - startedAt < duration_ms; at += senders) {
        const from = monotonicMs()
        const { body, status } = await connection.send(bodies[at % BODIES])
        if (status !== 204) throw new Error(`POST of impressions returned ${status}: ${body}`)
        times.push(monotonicMs() - from)
        if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs))
      }
      connection.close()
    }),
  )
  return { took_ms: monotonicMs() - startedAt, times }
}

function impressionBytes({ environment_id, sdk_key }, batch) {
  const evaluated_at = new Date().toISOString()
  const body = Array.from({ length: batch }, () => {
    const user = Math.floor(Math.random() * USERS)
    const flag = Math.floor(Math.random() * FLAGS)
    return {
      flag_key: `flag-${String(flag).padStart(2, '0')}`,
      user_id: `user-${user}`,
      value: flag === 0 ? ['blue', 'green', 'red'][user % 3] : String(Math.floor(user / 7) % 2 === 0),
      evaluated_at,
    }
  })
  const path = `/api/environments/${environment_id}/impressions`
  return requestBytes({ method: 'POST', path, sdk_key, body })
}
