import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { monotonicMs } from '../harness/monotonic-ms.mjs'
import { processorMs } from '../harness/process-usage.mjs'
import { figure } from '../harness/result-table.mjs'

const AUTOCANNON = createRequire(import.meta.url).resolve('autocannon')
const CONNECTIONS = 32
/**
 * The number of pending requests on each connection. With fewer, the load generator is slower than the server
 * and measures itself.
 */
const PIPELINING = 8
const WARM_UP_SECONDS = 2
const MS_PER_SECOND = 1000

export const LOAD_COLUMNS = ['size', 'requests a second', 'p99', 'processor: server']

/**
 * Requests a URL as often as possible for `ms`, and returns the cells of `LOAD_COLUMNS`. Every response must
 * have the status.
 */
export async function measureLoad(server, request, { goal = undefined, ms, status = 200 }) {
  const seconds = Math.max(1, Math.round(ms / MS_PER_SECOND))
  await load(request, Math.min(WARM_UP_SECONDS, seconds))
  const before = { at: monotonicMs(), processor: processorMs(server.pid) }
  const result = await load(request, seconds)
  const busy = (processorMs(server.pid) - before.processor) / (monotonicMs() - before.at)
  requireStatus(result, status)
  return [
    figure(result.throughput.average / result.requests.average, 'bytes'),
    figure(result.requests.average, '', goal),
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

/**
 * Requests the URL repeatedly from its own process; resolves with autocannon's result, an object with
 * `requests.average` (a second), `latency`, `non2xx`, `errors`.
 */
function load({ url, headers, method = 'GET', body = '' }, seconds) {
  const headerOptions = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}=${value}`])
  // `[<id>]` in a body becomes another id in each request.
  const bodyOptions = body === '' ? [] : ['-b', body, ...(body.includes('[<id>]') ? ['-I'] : [])]
  const numbers = ['-c', CONNECTIONS, '-p', PIPELINING, '-d', seconds].map(String)
  const child = spawn(
    process.execPath,
    [AUTOCANNON, '--json', '--no-progress', ...numbers, '-m', method, ...bodyOptions, ...headerOptions, url],
    {
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  )
  return new Promise((resolve, reject) => {
    let printed = ''
    child.stdout.setEncoding('utf8').on('data', (text) => {
      printed += text
    })
    child.once('error', reject)
    child.once('close', (code) => {
      if (code === 0) resolve(JSON.parse(printed))
      else reject(new Error(`autocannon ended with ${code}: ${printed}`))
    })
  })
}
