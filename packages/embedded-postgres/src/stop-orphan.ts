import { setTimeout as delay } from 'node:timers/promises'
import type { Clock } from './clock.ts'
import type { ClusterSession } from './cluster-lock.ts'
import { errorCode } from './error-code.ts'
import type { Log } from './log.ts'
import { type Installation, spawnProgram } from './postgres-program.ts'
import { isAlive, readPostmasterPid } from './postmaster-file.ts'

const LOOK_INTERVAL_MS = 10
const FAST_PATIENCE_MS = 10_000
const IMMEDIATE_PATIENCE_MS = 10_000

type Deps = { log: Log; clock: Clock; installation: Installation }

/**
 * Stops a PostgreSQL whose server has ended: fast, and if that takes too long immediately, which only costs a
 * recovery. The caller holds its lock through `session`, so no running server is affected.
 */
export async function stopOrphan(
  deps: Deps,
  cluster: { folder: string },
  orphan: { session: ClusterSession; pid: number | null },
): Promise<void> {
  deps.log.info({ pid: orphan.pid }, 'a killed server left its PostgreSQL running: restarting it')
  try {
    if (orphan.pid === null)
      throw new Error(`PostgreSQL runs in ${cluster.folder} without stating under which id`)
    await signal(deps, cluster, orphan.pid, 'fast')
    if (await isGone(deps, cluster, orphan.pid, FAST_PATIENCE_MS)) return
    await signal(deps, cluster, orphan.pid, 'immediate')
    if (await isGone(deps, cluster, orphan.pid, IMMEDIATE_PATIENCE_MS)) return
    throw new Error(`the PostgreSQL that a killed server left behind (process ${orphan.pid}) does not stop`)
  } finally {
    await orphan.session.end()
  }
}

async function signal(
  deps: Deps,
  cluster: { folder: string },
  pid: number,
  mode: 'fast' | 'immediate',
): Promise<void> {
  if (process.platform === 'win32') {
    const child = spawnProgram(deps.installation, 'pg_ctl', ['stop', '-W', '-m', mode, '-D', cluster.folder])
    await new Promise((resolve) => child.once('close', resolve).once('error', resolve))
    return
  }
  try {
    process.kill(pid, mode === 'fast' ? 'SIGINT' : 'SIGQUIT')
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error
  }
}

/**
 * Returns whether it has ended: there is no process with that id, or, where zombies remain, the process id
 * file is not its own any more.
 */
async function isGone(
  deps: Deps,
  cluster: { folder: string },
  pid: number,
  patienceMs: number,
): Promise<boolean> {
  const deadline = deps.clock.monotonicMs() + patienceMs
  while (deps.clock.monotonicMs() < deadline) {
    if (!isAlive(pid) || (await readPostmasterPid(cluster.folder)) !== pid) return true
    await delay(LOOK_INTERVAL_MS)
  }
  return false
}
