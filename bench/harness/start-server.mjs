import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { monotonicMs } from './monotonic-ms.mjs'
import { ROOT, serverProgram } from './paths.mjs'
import { stopProcess } from './stop-process.mjs'
import { untilPrinted } from './until-printed.mjs'

const START_TIMEOUT_MS = 60_000
/** The timeout of `npm start`, which may build. */
const NPM_START_TIMEOUT_MS = 300_000
const LISTENING = /listening on http:\/\/[^:\s]+:(\d+)/
const LOOK_EVERY_MS = 2

/** The admin of a bench's database, for its unattended set-up. */
export const ADMIN = { email: 'bench@example.com', password: 'a password for benches' }
export const SDK_KEY = 'sk_live_bench_0123456789abcdef0123456789abcdef'
const SETTINGS = {
  PORT: '0',
  LOG_LEVEL: 'error',
  COOKIE_SECURE: 'false',
  SESSION_SECRET: 'a-session-secret-for-benches-of-no-worth-elsewhere',
  SETUP_ADMIN_EMAIL: ADMIN.email,
  SETUP_ADMIN_PASSWORD: ADMIN.password,
  SETUP_SDK_KEY: SDK_KEY,
}
/** A module that a server loads first: SIGUSR2 makes it collect its garbage and print what is left. */
const HEAP_REPORT = `data:text/javascript,process.on('SIGUSR2',()=>{gc();gc();console.log('heap',process.memoryUsage().heapUsed)})`

/**
 * @typedef {{ databaseUrl?: string, dataDir?: string, redisUrl?: string, env?: Record<string, string>,
 *   showsHeap?: boolean }} StartOptions
 */

/** Creates the function that starts servers of a checkout, this one or an older one. */
export const createServerStarter =
  (root = ROOT) =>
  (/** @type {StartOptions} */ options) =>
    startServer(root, options)

/**
 * Starts a built server in its own process and waits for its first response: with `databaseUrl`, or with the
 * embedded database in `dataDir`. `showsHeap` lets it report its heap.
 */
async function startServer(
  root,
  /** @type {StartOptions} */ { databaseUrl, dataDir, redisUrl = '', env = {}, showsHeap = false },
) {
  const heapOptions = showsHeap ? ['--expose-gc', '--import', HEAP_REPORT] : []
  const startedAt = monotonicMs()
  const child = spawn(process.execPath, [...profileOptions(), ...heapOptions, serverProgram(root)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      ...SETTINGS,
      // Without an external database, the embedded one in its own folder.
      ...(dataDir === undefined ? { DATABASE_URL: databaseUrl } : { DATA_DIR: dataDir }),
      REDIS_URL: redisUrl,
      ...env,
      // A dashboard in another folder than the server's default.
      ...(process.env.PUBLIC_DIR && { PUBLIC_DIR: process.env.PUBLIC_DIR }),
    },
  })
  endWithThis(child)
  const { port, url } = await untilHealthy(child, START_TIMEOUT_MS)
  return {
    pid: child.pid,
    port,
    url,
    startedInMs: monotonicMs() - startedAt,
    /** Resolves with the bytes of the heap after a collection; with `showsHeap` only. */
    async heapBytes() {
      const printed = untilPrinted(child, /^heap (\d+)$/, START_TIMEOUT_MS)
      child.kill('SIGUSR2')
      return Number((await printed)[1])
    },
    stop: () => stopProcess(child),
  }
}

/** Runs `npm start` until its first response, with the embedded database: returns the milliseconds. */
export async function npmStartOnce(root, dataDir) {
  const { DATABASE_URL: _database, REDIS_URL: _redis, ...env } = process.env
  const startedAt = monotonicMs()
  // A separate process group: npm and its shell do not always pass a signal on to the server.
  const child = spawn('npm', ['start'], {
    cwd: root,
    env: { ...env, DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'error' },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const gone = once(child, 'close')
  try {
    await untilHealthy(child, NPM_START_TIMEOUT_MS)
    return monotonicMs() - startedAt
  } finally {
    process.kill(-child.pid, 'SIGTERM')
    await gone
  }
}

/** Ends a server with this process at the latest: a bench that fails may leave it behind. */
function endWithThis(child) {
  const kill = () => child.kill()
  process.on('exit', kill)
  child.once('exit', () => process.off('exit', kill))
}

/** Resolves with the address of a started server after its first 200 of `/health`. */
async function untilHealthy(child, timeoutMs) {
  const [, port] = await untilPrinted(child, LISTENING, timeoutMs)
  const url = `http://127.0.0.1:${port}`
  for (const end = monotonicMs() + timeoutMs; ; ) {
    const reply = await fetch(`${url}/health`).catch(() => null)
    await reply?.arrayBuffer()
    if (reply?.status === 200) return { port: Number(port), url }
    if (monotonicMs() > end) throw new Error(`/health returned ${reply?.status} for ${timeoutMs} ms`)
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
  }
}

/**
 * Returns options for a profile: `BENCH_CPU_PROFILE=<folder>` writes one of each server there, for the
 * browser's developer tools.
 */
function profileOptions() {
  const folder = process.env.BENCH_CPU_PROFILE
  return folder ? ['--cpu-prof', '--cpu-prof-dir', folder] : []
}
