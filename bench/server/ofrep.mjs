import { firstEnvironment, flagKey, seedFlags } from '../harness/installation.mjs'
import { monotonicMs } from '../harness/monotonic-ms.mjs'
import { processorMs } from '../harness/process-usage.mjs'
import { figure } from '../harness/result-table.mjs'
import { startServer } from '../harness/start-server.mjs'
import { load } from './load.mjs'

const FLAGS = 100
const CONNECTIONS = 32
/** With fewer requests in flight, the load generator is slower than the server and measures itself. */
const PIPELINING = 8
const SECONDS = 8
const QUICK_SECONDS = 2
const WARM_UP_SECONDS = 2

const BULK = '/ofrep/v1/evaluate/flags'
const CONTEXT = { targetingKey: 'user-1', country: 'de', plan: 'pro' }
/** The load generator puts another id into each request. */
const ANY_CONTEXT = { ...CONTEXT, targetingKey: '[<id>]' }

const KINDS = [
  { name: 'all flags, a context of their own each', path: BULK, context: ANY_CONTEXT, goal: 4_000 },
  { name: 'all flags, one context', path: BULK, context: CONTEXT },
  { name: 'all flags, 304', path: BULK, context: CONTEXT, status: 304, goal: 20_000 },
  { name: 'one flag', path: `${BULK}/${flagKey(0)}`, context: ANY_CONTEXT, goal: 12_000 },
  { name: 'one flag, recorded', path: `${BULK}/${flagKey(0)}`, context: ANY_CONTEXT },
]

export const ofrep = {
  title: 'OFREP with 100 flags: requests a second',
  async run({ postgres, quick, progress }) {
    const rows = []
    for (const impressions of ['off', 'single']) {
      const env = { OFREP_IMPRESSIONS: impressions }
      const server = await startServer({ databaseUrl: await postgres.createDatabase(), env })
      try {
        const environment = await firstEnvironment(server)
        await seedFlags(server, environment, FLAGS)
        const kinds = KINDS.filter(
          (kind) => (kind.name === 'one flag, recorded') === (impressions === 'single'),
        )
        for (const kind of kinds) {
          progress(kind.name)
          rows.push(await measure(server, environment, { kind, quick }))
        }
      } finally {
        await server.stop()
      }
    }
    return [{ columns: COLUMNS, rows }]
  },
}

const COLUMNS = ['Evaluation', 'size', 'requests a second', 'p99', 'processor: server']

async function measure({ pid, url }, { sdk_key }, { kind, quick }) {
  const { context, goal, name, path, status = 200 } = kind
  const target = url + path
  const body = JSON.stringify({ context })
  const usual = { 'x-api-key': sdk_key, 'content-type': 'application/json' }
  const probe = await fetch(target, { method: 'POST', headers: usual, body })
  await probe.arrayBuffer()
  const headers = status === 304 ? { ...usual, 'if-none-match': probe.headers.get('etag') } : usual
  const request = {
    url: target,
    method: 'POST',
    body,
    headers,
    connections: CONNECTIONS,
    pipelining: PIPELINING,
  }
  await load({ ...request, seconds: WARM_UP_SECONDS })
  const before = { at: monotonicMs(), processor: processorMs(pid) }
  const result = await load({ ...request, seconds: quick ? QUICK_SECONDS : SECONDS })
  const busy = (processorMs(pid) - before.processor) / (monotonicMs() - before.at)
  requireStatus(result, status)
  return [
    name,
    figure(result.throughput.average / result.requests.average, 'bytes'),
    figure(result.requests.average, '', goal === undefined ? undefined : { atLeast: goal }),
    figure(result.latency.p99, 'ms'),
    figure(busy * 100, '%'),
  ]
}

function requireStatus(result, status) {
  const others = Object.keys(result.statusCodeStats).filter((code) => code !== String(status))
  if (others.length === 0 && result.errors === 0 && status in result.statusCodeStats) return
  throw new Error(
    `expected only ${status}, got ${JSON.stringify(result.statusCodeStats)}, ${result.errors} errors`,
  )
}
