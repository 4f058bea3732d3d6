/**
 * `npm start`: installs and builds what is missing, then runs the server in its own process and starts it
 * again after a crash. A server that stops on purpose, or refuses to start (a setting, the port, the data
 * folder), ends this process, also after a crash.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { ensureBuilt, ensureInstalled, ROOT } from './prepare.mjs'

const SERVER = join(ROOT, 'packages', 'server', 'dist', 'bundle', 'main.js')
const STOP_WITH_PARENT = new URL('./stop-with-parent.mjs', import.meta.url).href
/** The exit code of the server after an uncaught error. */
const FAULT_EXIT_CODE = 70
const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP']
const FIRST_DELAY_MS = 500
const MAX_DELAY_MS = 30_000
/** The time after which a server counts as healthy and crashes are counted from the first again. */
const HEALTHY_MS = 60_000
const MS_PER_SECOND = 1_000

// Node starts while this process looks for what is missing. The server waits for it to be there.
const early = existsSync(SERVER) ? spawnServer() : null
ensureInstalled()
await ensureBuilt()

const stopping = new AbortController()
for (const signal of STOP_SIGNALS) process.on(signal, () => stopping.abort())
process.exitCode = await superviseServer()

/** Resolves with the exit code, once the server has ended for good. */
async function superviseServer() {
  let crashes = 0
  for (let server = early ?? spawnServer(); ; server = spawnServer()) {
    const startedMs = performance.now()
    const { code, signal } = await runServer(server)
    const isCrash = signal === null ? code === FAULT_EXIT_CODE : !STOP_SIGNALS.includes(signal)
    if (stopping.signal.aborted || !isCrash) return code ?? 1
    crashes = performance.now() - startedMs > HEALTHY_MS ? 1 : crashes + 1
    const delayMs = Math.min(FIRST_DELAY_MS * 2 ** (crashes - 1), MAX_DELAY_MS)
    const how = signal === null ? `with exit code ${code}` : `by ${signal}`
    console.error(`Burgee ended unexpectedly (${how}). Starting it again in ${delayMs / MS_PER_SECOND} s.`)
    await delay(delayMs, undefined, { signal: stopping.signal }).catch(() => undefined)
    if (stopping.signal.aborted) return 0
  }
}

/**
 * Starts a process that loads the server once it gets a message. Its channel closes with this process, and
 * that ends it.
 */
function spawnServer() {
  const child = spawn(process.execPath, ['--import', STOP_WITH_PARENT, SERVER], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  })
  return { child, ended: once(child, 'exit') }
}

/** Lets the process load the server, and resolves when it has ended. */
async function runServer({ child, ended }) {
  // One that was ended meanwhile takes no message, and its end shows why.
  child.send('start', () => undefined)
  const stop = () => void child.kill('SIGTERM')
  stopping.signal.addEventListener('abort', stop)
  const [code, signal] = await ended
  stopping.signal.removeEventListener('abort', stop)
  return { code, signal }
}
