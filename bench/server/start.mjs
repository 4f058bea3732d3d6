import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { monotonicMs } from '../harness/monotonic-ms.mjs'
import { ROOT } from '../harness/paths.mjs'
import { percentile } from '../harness/percentile.mjs'
import { residentBytes } from '../harness/process-usage.mjs'
import { figure } from '../harness/result-table.mjs'
import { startServer } from '../harness/start-server.mjs'
import { untilPrinted } from '../harness/until-printed.mjs'

const STARTS = 10
const QUICK_STARTS = 3
const REST_MS = 10_000
const EXTERNAL_GOAL_MS = 500
const NPM_START_GOAL_MS = 1_500
const MEMORY_GOAL_MB = 110
/** The timeout of the first `npm start`, which may install and build. */
const NPM_START_TIMEOUT_MS = 300_000
const BYTES_PER_MB = 1024 * 1024

export const start = {
  title: 'Start: from the command to listening, and what a server at rest needs',
  async run({ postgres, quick, progress }) {
    const starts = quick ? QUICK_STARTS : STARTS
    progress('external database')
    const external = await startOnExternal(postgres, starts)
    progress('npm start')
    const embedded = await startWithNpm(starts)
    const timed = (name, times, goal) => [
      name,
      figure(percentile(times, 50), 'ms', { atMost: goal }),
      figure(Math.max(...times), 'ms'),
    ]
    return [
      {
        columns: [`${starts} starts`, 'median', 'slowest'],
        rows: [
          timed('server on a migrated external database', external.times, EXTERNAL_GOAL_MS),
          timed('`npm start`, embedded database, not the first time', embedded, NPM_START_GOAL_MS),
        ],
      },
      {
        columns: ['At rest', 'resident memory'],
        rows: [
          [
            'server process, 10 s after its start',
            figure(external.residentMb, 'MB', { atMost: MEMORY_GOAL_MB }),
          ],
        ],
      },
    ]
  },
}

async function startOnExternal(postgres, starts) {
  const databaseUrl = await postgres.createDatabase()
  const first = await startServer({ databaseUrl })
  await first.stop()
  const times = []
  for (let at = 0; at < starts; at++) {
    const server = await startServer({ databaseUrl })
    times.push(server.startedInMs)
    await server.stop()
  }
  const resting = await startServer({ databaseUrl })
  await delay(REST_MS)
  const residentMb = residentBytes(resting.pid) / BYTES_PER_MB
  await resting.stop()
  return { times, residentMb }
}

async function startWithNpm(starts) {
  const dataDir = await mkdtemp(join(tmpdir(), 'burgee-bench-'))
  const times = []
  try {
    for (let at = 0; at <= starts; at++) {
      const took_ms = await npmStartOnce(dataDir)
      if (at > 0) times.push(took_ms)
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
  return times
}

async function npmStartOnce(dataDir) {
  const { DATABASE_URL: _database, REDIS_URL: _redis, ...env } = process.env
  const startedAt = monotonicMs()
  // A separate process group: npm and its shell do not always pass a signal on to the server.
  const child = spawn('npm', ['start'], {
    cwd: ROOT,
    env: { ...env, DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'error' },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const gone = once(child, 'close')
  try {
    await untilPrinted(child, /listening on http/, NPM_START_TIMEOUT_MS)
    return monotonicMs() - startedAt
  } finally {
    process.kill(-child.pid, 'SIGTERM')
    await gone
  }
}
