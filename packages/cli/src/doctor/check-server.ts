import { connectionProblem } from '../api/connection-problem.ts'
import { fetchText, reasonOf } from './fetch-text.ts'
import { type Finding, findingsOf } from './finding.ts'

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/
const CLOCK_MAX_MS = 5_000

/** Checks what needs no key: address, process, database, clock, metrics. One finding without a server. */
export async function checkServer(url: string, now: () => number): Promise<Finding[]> {
  const process = findingsOf('server')
  const startedMs = now()
  const health = await fetchText(`${url}/health`).catch(connectionProblem)
  if ('reason' in health)
    return [process.problem(`${url} cannot be reached: ${health.reason}`, health.advice)]
  if (health.status !== 200 || health.text !== 'OK')
    return [
      process.problem(
        `GET /health returned ${health.status} and not Burgee's "OK"`,
        'Check that --url is the address of Burgee, and that the proxy passes every path on.',
      ),
    ]
  return [
    process.ok('the server responds'),
    checkTls(new URL(url)),
    await checkDatabase(url),
    checkClock(health.headers.get('date'), startedMs, now()),
    await checkMetrics(url),
  ]
}

function checkTls({ hostname, protocol }: URL): Finding {
  const { ok, warning } = findingsOf('tls')
  if (protocol === 'https:') return ok('the address is https')
  if (LOOPBACK.test(hostname)) return ok('http on this machine')
  return warning('keys and sessions travel over http', 'Put a proxy with TLS in front (docs/hardening.md).')
}

async function checkDatabase(url: string): Promise<Finding> {
  const { ok, problem } = findingsOf('database')
  const ready = await fetchText(`${url}/ready`).catch(reasonOf)
  if (typeof ready !== 'string' && ready.status === 200)
    return ok('the server is ready, and its database can store')
  const reason = typeof ready === 'string' ? ready : `GET /ready returned ${ready.status}`
  return problem(
    `the server is not ready: ${reason}`,
    'Check the database: it must be reachable, not read-only, and its disk not full (docs/operations.md).',
  )
}

function checkClock(date: string | null, startedMs: number, endedMs: number): Finding {
  const { ok, skipped, warning } = findingsOf('clock')
  const serverMs = date === null ? Number.NaN : Date.parse(date)
  if (Number.isNaN(serverMs)) return skipped('the response has no date')
  // The header has whole seconds, and was written at some moment of the request.
  const isClose = serverMs > startedMs - CLOCK_MAX_MS && serverMs < endedMs + CLOCK_MAX_MS
  if (isClose) return ok('the clocks of this machine and the server agree')
  const seconds = Math.round(Math.abs(serverMs - endedMs) / 1_000)
  return warning(
    `the clocks of this machine and the server differ by ${seconds} s`,
    'Synchronize both with NTP. Scheduled changes follow the clock of the database.',
  )
}

async function checkMetrics(url: string): Promise<Finding> {
  const { ok, problem } = findingsOf('metrics')
  const metrics = await fetchText(`${url}/metrics`).catch(reasonOf)
  if (typeof metrics !== 'string' && metrics.status === 200 && metrics.text.includes('# TYPE'))
    return problem('/metrics is readable without a token', 'Let the proxy refuse /metrics from outside.')
  return ok('/metrics is not readable without a token')
}
