import { type ChildProcess, spawn } from 'node:child_process'
import { type FileHandle, open } from 'node:fs/promises'
import type { PostgresAccount } from './postgres-account.ts'
import { programOf } from './postgres-binaries.ts'

/** The PostgreSQL programs and the account that runs them. */
export type Installation = { account: PostgresAccount; binaries: { folder: string } }

/** The descriptor of the first path that a child receives: after standard input, output and error. */
const FIRST_CHILD_FD = 3

/**
 * Paths as a PostgreSQL program finds them, and the open files to start it with. Call `close` once it was
 * started.
 */
export type ChildPaths = { paths: string[]; handles: FileHandle[]; close(): Promise<void> }

/**
 * Prepares the paths of a data folder and other files for a PostgreSQL program. Under another account on
 * Linux it receives them as open files and finds them through /proc/self/fd, so that no folder above them
 * must admit that account (docs/decisions/0001-embedded-postgresql.md).
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

/**
 * Starts a PostgreSQL program under the account, detached from the terminal and without the caller's PG*
 * variables.
 */
export function spawnProgram(
  installation: Installation,
  name: 'initdb' | 'postgres' | 'pg_ctl',
  args: string[],
  handles: readonly FileHandle[] = [],
): ChildProcess {
  const { account } = installation
  return spawn(programOf(installation.binaries, name), args, {
    cwd: '/',
    // A separate session: Ctrl-C in a terminal would otherwise stop the database before the server has
    // drained.
    detached: true,
    env: { LC_ALL: 'C', TZ: 'UTC' },
    stdio: ['ignore', 'pipe', 'pipe', ...handles.map(({ fd }) => fd)],
    ...(account ?? {}),
  })
}
