import { type ChildProcess, spawn } from 'node:child_process'
import { type FileHandle, open } from 'node:fs/promises'
import type { PostgresAccount } from './postgres-account.ts'
import { programOf } from './postgres-binaries.ts'

/** The PostgreSQL programs, and under whose account they run. */
export type Installation = { account: PostgresAccount; binaries: { folder: string } }

/** The number under which a child finds the first path that it is handed: after standard input, output and error. */
const FIRST_CHILD_FD = 3

/** Paths as a PostgreSQL program finds them, and the open files to start it with; `close` them when it was started. */
export type ChildPaths = { paths: string[]; handles: FileHandle[]; close(): Promise<void> }

/**
 * How a PostgreSQL program is told its data folder and other files. Under another account on Linux it is handed them open and finds them
 * through /proc/self/fd, so that no folder above them needs to let that account in (docs/decisions/0001-embedded-postgresql.md).
 */
export async function openForChild(account: PostgresAccount, ...paths: string[]): Promise<ChildPaths> {
  const handles: FileHandle[] = []
  const close = async () => void (await Promise.all(handles.map((handle) => handle.close())))
  if (account === null || process.platform !== 'linux') return { paths, handles, close }
  try {
    for (const path of paths) handles.push(await open(path, 'r'))
  } catch (error) {
    await close()
    throw error
  }
  return { paths: paths.map((_, index) => `/proc/self/fd/${FIRST_CHILD_FD + index}`), handles, close }
}

/** Starts a PostgreSQL program under the account, out of the terminal's reach, without the caller's PG* variables. */
export function spawnProgram(
  installation: Installation,
  name: 'initdb' | 'postgres' | 'pg_ctl',
  args: string[],
  handles: readonly FileHandle[] = [],
): ChildProcess {
  const { account } = installation
  return spawn(programOf(installation.binaries, name), args, {
    cwd: '/',
    // A session of its own: Ctrl-C in a terminal would otherwise stop the database before the server has drained.
    detached: true,
    env: { LC_ALL: 'C', TZ: 'UTC' },
    stdio: ['ignore', 'pipe', 'pipe', ...handles.map(({ fd }) => fd)],
    ...(account ?? {}),
  })
}
