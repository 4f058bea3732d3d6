import { spawn } from 'node:child_process'
import { monotonicMs } from './monotonic-ms.mjs'
import { serverFile } from './paths.mjs'
import { stopProcess } from './stop-process.mjs'
import { untilPrinted } from './until-printed.mjs'

const START_TIMEOUT_MS = 60_000

/** The admin of a bench's database, for its unattended set-up. */
export const ADMIN = { email: 'bench@example.com', password: 'a password for benches' }
export const SDK_KEY = 'sk_live_bench_0123456789abcdef0123456789abcdef'
const SESSION_SECRET = 'a-session-secret-for-benches-of-no-worth-elsewhere'

/**
 * Starts a built server in its own process and waits until it listens: with `databaseUrl`, or with the
 * embedded database in `dataDir`. `nodeOptions` are options of Node, such as `--cpu-prof`.
 * @param {{ databaseUrl?: string, dataDir?: string, redisUrl?: string, nodeOptions?: string[],
 *   env?: Record<string, string> }} options
 */
export async function startServer({
  databaseUrl,
  dataDir,
  redisUrl = '',
  nodeOptions = profileOptions(),
  env = {},
}) {
  const startedAt = monotonicMs()
  const child = spawn(process.execPath, [...nodeOptions, serverFile('bundle/main.js')], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      LOG_LEVEL: 'error',
      COOKIE_SECURE: 'false',
      // Without an external database, the embedded one in its own folder.
      ...(dataDir === undefined ? { DATABASE_URL: databaseUrl } : { DATA_DIR: dataDir }),
      REDIS_URL: redisUrl,
      SESSION_SECRET,
      SETUP_ADMIN_EMAIL: ADMIN.email,
      SETUP_ADMIN_PASSWORD: ADMIN.password,
      SETUP_SDK_KEY: SDK_KEY,
      // A dashboard in another folder than the server's default.
      ...env,
      ...(process.env.PUBLIC_DIR && { PUBLIC_DIR: process.env.PUBLIC_DIR }),
    },
  })
  const [, port] = await untilPrinted(child, /listening on http:\/\/localhost:(\d+)/, START_TIMEOUT_MS)
  return {
    pid: child.pid,
    port: Number(port),
    url: `http://127.0.0.1:${port}`,
    startedInMs: monotonicMs() - startedAt,
    stop: () => stopProcess(child),
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
