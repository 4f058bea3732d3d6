import { execFile } from 'node:child_process'
import { readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { errorCode } from './error-code.ts'
import { SOCKET_PORT } from './postgres-settings.ts'
import { uniqueName } from './random-text.ts'

const POSTMASTER_FILE = 'postmaster.pid'
const SOCKET_LOCK_FILE = `.s.PGSQL.${SOCKET_PORT}.lock`

/**
 * Reads the process id that the running or killed PostgreSQL of the cluster recorded; null after a proper
 * shutdown.
 */
export function readPostmasterPid(cluster: string): Promise<number | null> {
  return readPid(join(cluster, POSTMASTER_FILE))
}

/** Returns whether a process with this id exists. It may be another program. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return errorCode(error) === 'EPERM'
  }
}

/**
 * Removes lock files whose process id now belongs to another program or to a zombie. Both happen after a
 * restart of the machine or container, and PostgreSQL takes them for another server. It handles unused ids
 * itself.
 */
export async function removeForeignLockFiles(cluster: string): Promise<void> {
  for (const name of [POSTMASTER_FILE, SOCKET_LOCK_FILE]) await removeIfForeign(cluster, join(cluster, name))
}

async function removeIfForeign(cluster: string, file: string): Promise<void> {
  const pid = await readPid(file)
  if (pid === null || !isAlive(pid) || (await isPostmasterOf(cluster, pid))) return
  const aside = `${file}.${uniqueName()}`
  try {
    await rename(file, aside)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return
    throw error
  }
  // Between reading and renaming, another server's PostgreSQL may have created its own file; that one is
  // restored.
  if ((await readPid(aside)) === pid) await rm(aside)
  else await rename(aside, file)
}

async function readPid(file: string): Promise<number | null> {
  const text = await readFile(file, 'utf8').catch(() => '')
  const pid = Number(/^(\d+)\n/.exec(text)?.[1])
  return Number.isSafeInteger(pid) && pid > 0 ? pid : null
}

/**
 * Returns whether the process is PostgreSQL of this cluster: its working folder is the cluster, or, when that
 * cannot be read, its name matches.
 */
async function isPostmasterOf(cluster: string, pid: number): Promise<boolean> {
  if (process.platform === 'linux') {
    const [working, own] = await Promise.all([stat(`/proc/${pid}/cwd`).catch(() => null), stat(cluster)])
    return working !== null && working.ino === own.ino && working.dev === own.dev
  }
  if (process.platform === 'win32') return true
  const listing = await promisify(execFile)('ps', ['-o', 'comm=', '-p', String(pid)]).catch(() => null)
  return listing?.stdout.includes('postgres') ?? false
}
