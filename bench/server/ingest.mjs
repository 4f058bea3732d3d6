import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openHttpConnection, requestBytes } from '../harness/http-connection.mjs'
import { firstEnvironment } from '../harness/installation.mjs'
import { monotonicMs } from '../harness/monotonic-ms.mjs'
import { percentile } from '../harness/percentile.mjs'
import { processorMs, residentBytes } from '../harness/process-usage.mjs'
import { figure } from '../harness/result-table.mjs'

const USERS = 200_000
const FLAGS = 20
/** The items of a request and its senders; the first three are those of a comparison. */
const KINDS = [
  { batch: 1, senders: 64 },
  { batch: 50, senders: 64 },
  { batch: 500, senders: 8, goal: { atLeast: 40_000 } },
  { batch: 1, senders: 1 },
  { batch: 1, senders: 8 },
  { batch: 50, senders: 1 },
  { batch: 50, senders: 8 },
  { batch: 500, senders: 1 },
  { batch: 500, senders: 64, goal: { atLeast: 40_000 } },
]
const COMPARED_KINDS = 3
const WARM_UP_MS = 2_000
/** The number of different bodies, which are built before the measurement and sent in turn. */
const BODIES = 400
const MS_PER_SECOND = 1000
const BYTES_PER_MB = 1e6

const COLUMNS = [
  'Items of a request, senders',
  'rows a second',
  'p50',
  'p99',
  'processor: server',
  'memory of the server, growth',
]
const MEMORY_COLUMNS = ['8 senders of 500 items without a pause', 'resident memory of the server', 'growth']

export const ingest = {
  title:
    'Ingest: impressions a second into one environment, each request committed with its rollups before its 204',
  /** Each kind begins with empty tables. */
  sections: ({ isComparison }) => {
    const section = { columns: COLUMNS, compared: ['rows a second'] }
    const kinds = isComparison ? KINDS.slice(0, COMPARED_KINDS) : KINDS
    const external = kinds.map((kind) => ({ ...section, open: (context) => openExternal(context, kind) }))
    if (isComparison) return external
    const embedded = { ...section, open: (context) => openEmbedded(context, { batch: 500, senders: 8 }) }
    return [...external, embedded, { columns: MEMORY_COLUMNS, compared: [], open: openMemory }]
  },
}

async function openExternal({ postgres, startServer }, kind) {
  const server = await startServer({ databaseUrl: await postgres.createDatabase() })
  return openKind(server, kind, { close: () => server.stop() })
}

async function openEmbedded({ startServer }, kind) {
  const folder = mkdtempSync(join(tmpdir(), 'burgee-bench-'))
  // PostgreSQL runs under another account than root and must reach its data folder.
  chmodSync(folder, 0o711)
  const server = await startServer({ dataDir: join(folder, 'data') })
  const close = () => server.stop().finally(() => rmSync(folder, { recursive: true, force: true }))
  return openKind(server, kind, { where: ', embedded database', close })
}

async function openKind(server, { batch, senders, goal = undefined }, { close, where = '' }) {
  const environment = await firstEnvironment(server)
  const name = `${batch} x ${senders}${where}`
  const run = { batch, senders }
  await sendImpressions(server, environment, { ...run, duration_ms: WARM_UP_MS })
  const measure = async (duration_ms) => {
    const memoryBefore = residentBytes(server.pid)
    const processorBefore = processorMs(server.pid)
    const { times, took_ms } = await sendImpressions(server, environment, { ...run, duration_ms })
    return [
      figure(((times.length * batch) / took_ms) * MS_PER_SECOND, '', goal),
      figure(percentile(times, 50), 'ms'),
      figure(percentile(times, 99), 'ms'),
      figure(((processorMs(server.pid) - processorBefore) / took_ms) * 100, '%'),
      figure((residentBytes(server.pid) - memoryBefore) / BYTES_PER_MB, 'MB'),
    ]
  }
  return { rows: [{ name, measure }], close }
}

/** The memory run. The first minute is not growth: code is compiled, and pools and buffers are filled. */
const MEMORY = { settleMs: 60_000, minutes: 5, minuteMs: 60_000 }
const QUICK_MEMORY = { settleMs: 5_000, minutes: 2, minuteMs: 5_000 }
const MEMORY_GOAL = { atMost: 50 }

async function openMemory({ postgres, quick, startServer }) {
  const { minuteMs, minutes, settleMs } = quick ? QUICK_MEMORY : MEMORY
  const server = await startServer({ databaseUrl: await postgres.createDatabase() })
  const environment = await firstEnvironment(server)
  const send = (duration_ms) => sendImpressions(server, environment, { batch: 500, senders: 8, duration_ms })
  let settled = 0
  const rows = Array.from({ length: minutes + 1 }, (_, minute) => ({
    name: minute === 0 ? 'after the first minute' : `${minute} min later`,
    async measure() {
      await send(minute === 0 ? settleMs : minuteMs)
      const bytes = residentBytes(server.pid)
      if (minute === 0) settled = bytes
      const growth = (bytes - settled) / BYTES_PER_MB
      return [figure(bytes / BYTES_PER_MB, 'MB'), figure(growth, 'MB', minute === minutes && MEMORY_GOAL)]
    },
  }))
  return { rows, close: () => server.stop() }
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
