import { firstEnvironment, seedFlags } from '../harness/installation.mjs'
import { monotonicMs } from '../harness/monotonic-ms.mjs'
import { processorMs } from '../harness/process-usage.mjs'
import { figure } from '../harness/result-table.mjs'
import { startServer } from '../harness/start-server.mjs'
import { load } from './load.mjs'

const FLAG_COUNTS = [1, 100, 1_000]
/** The number of flags that the goals apply to. */
const GOAL_FLAGS = 100
const CONNECTIONS = 32
/**
 * The number of pending requests on each connection. With fewer, the load generator is slower than the server
 * and measures itself.
 */
const PIPELINING = 8
const SECONDS = 8
const QUICK_SECONDS = 2
const WARM_UP_SECONDS = 2

const KINDS = [
  { name: 'plain', goal: 12_000, headers: () => ({}) },
  { name: 'gzip', goal: 30_000, headers: () => ({ 'accept-encoding': 'gzip' }) },
  { name: '304', goal: 40_000, status: 304, headers: (etag) => ({ 'if-none-match': etag }) },
]

export const snapshot = {
  title: 'GET /flags/snapshot: requests a second',
  async run({ postgres, quick, progress }) {
    const server = await startServer({ databaseUrl: await postgres.createDatabase() })
    try {
      const environment = await firstEnvironment(server)
      const rows = []
      for (const flags of FLAG_COUNTS) {
        progress(`${flags} flags`)
        await seedFlags(server, environment, flags)
        for (const kind of KINDS) rows.push(await measure(server, environment, { flags, kind, quick }))
      }
      return [{ columns: COLUMNS, rows }]
    } finally {
      await server.stop()
    }
  },
}

const COLUMNS = ['Flags', 'Answer', 'size', 'requests a second', 'p99', 'processor: server']

async function measure({ pid, url }, { sdk_key }, { flags, kind, quick }) {
  const target = `${url}/flags/snapshot`
  const authorization = `Bearer ${sdk_key}`
  const probe = await fetch(target, { headers: { authorization, 'accept-encoding': 'identity' } })
  await probe.arrayBuffer()
  const headers = { authorization, ...kind.headers(probe.headers.get('etag')) }
  const request = { url: target, headers, connections: CONNECTIONS, pipelining: PIPELINING }
  await load({ ...request, seconds: WARM_UP_SECONDS })
  const before = { at: monotonicMs(), processor: processorMs(pid) }
  const result = await load({ ...request, seconds: quick ? QUICK_SECONDS : SECONDS })
  const busy = (processorMs(pid) - before.processor) / (monotonicMs() - before.at)
  requireAnswers(result, kind)
  return [
    flags.toLocaleString('en-US'),
    kind.name,
    figure(result.throughput.average / result.requests.average, 'bytes'),
    figure(result.requests.average, '', flags === GOAL_FLAGS ? { atLeast: kind.goal } : undefined),
    figure(result.latency.p99, 'ms'),
    figure(busy * 100, '%'),
  ]
}

function requireAnswers(result, { status = 200 }) {
  const right = result.statusCodeStats[status]?.count ?? 0
  const others = Object.keys(result.statusCodeStats).filter((code) => code !== String(status))
  if (right === 0 || others.length > 0 || result.errors > 0) {
    throw new Error(
      `expected only ${status}, got ${JSON.stringify(result.statusCodeStats)}, ${result.errors} errors`,
    )
  }
}
