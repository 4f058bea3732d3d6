import { readdirSync, readFileSync } from 'node:fs'
import { withDatabase } from '../harness/with-database.ts'

/** The processes of a PostgreSQL on this machine. */
export interface PostgresProcesses {
  readonly postmaster: number
  /** The processes of sessions and background work. */
  readonly children: readonly number[]
}

export async function findPostgresProcesses(databaseUrl: string): Promise<PostgresProcesses> {
  return withDatabase(databaseUrl, async (pool) => {
    const { rows } = await pool.query('select pg_backend_pid() as pid')
    const own = Number(rows[0].pid)
    const postmaster = parentOf(own)
    if (postmaster === null) throw new Error('the database does not run on this machine')
    const children = processes().filter((pid) => pid !== own && parentOf(pid) === postmaster)
    return { postmaster, children }
  })
}

const processes = (): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)

/** Null when there is no such process. */
function parentOf(pid: number): number | null {
  try {
    const parent = /^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return parent === undefined ? null : Number(parent)
  } catch {
    return null
  }
}

/** Sends a signal to processes; those that have ended are ignored. */
export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal)
    } catch {
      // It has ended.
    }
  }
}
