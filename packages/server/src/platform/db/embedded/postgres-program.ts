import { type ChildProcess, spawn } from 'node:child_process'
import { type FileHandle, open } from 'node:fs/promises'
import type { PostgresAccount } from './postgres-account.ts'
import { programOf } from './postgres-binaries.ts'

/** The PostgreSQL programs, and under whose account they run. */
export type Installation = { account: PostgresAccount; binaries: { folder: string } }

/** The number under which a child finds the folder that it is handed: the first after standard input, output and error. */
const CHILD_FOLDER_FD = 3

/**
 * How a PostgreSQL program is told its data folder. Under another account on Linux it is handed the open folder and finds it through
 * /proc/self/fd, so that no folder above it needs to let that account in (docs/decisions/0001-embedded-postgresql.md).
 */
export async function openForChild(
  account: PostgresAccount,
  folder: string,
): Promise<{ path: string; handle: FileHandle | null }> {
  if (account === null || process.platform !== 'linux') return { path: folder, handle: null }
  return { path: `/proc/self/fd/${CHILD_FOLDER_FD}`, handle: await open(folder, 'r') }
}

/** Starts a PostgreSQL program under the account, out of the terminal's reach, without the caller's PG* variables. */
export function spawnProgram(
  installation: Installation,
  name: 'initdb' | 'postgres' | 'pg_ctl',
  args: string[],
  folder: FileHandle | null,
): ChildProcess {
  const { account } = installation
  return spawn(programOf(installation.binaries, name), args, {
    cwd: '/',
    // A session of its own: Ctrl-C in a terminal would otherwise stop the database before the server has drained.
    detached: true,
    env: { LC_ALL: 'C', TZ: 'UTC' },
    stdio: ['ignore', 'pipe', 'pipe', ...(folder === null ? [] : [folder.fd])],
    ...(account ?? {}),
  })
}
