import type { ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import type { Log } from './log.ts'
import { type Installation, openForChild, spawnProgram } from './postgres-program.ts'
import { type PostgresSettings, toArguments } from './postgres-settings.ts'
import { stopAtExit } from './stop-at-exit.ts'

/** A PostgreSQL server process that this server started. */
export interface Postmaster {
  pid: number | undefined
  /** Returns null while it runs, and afterwards the last lines of its log. */
  exited(): string | null
  /**
   * Shuts down fast: sessions are closed and committed work is stored. Resolves when the process has ended.
   */
  stop(): Promise<void>
}

const REMEMBERED_LINES = 8

/** The messages to sessions while PostgreSQL starts and stops. */
const EXPECTED = /the database system is|terminating connection due to administrator command|lock file/

/**
 * The time after which a fast shutdown becomes an immediate one. The next start recovers from the log, and
 * nothing is lost.
 */
const STOP_PATIENCE_MS = 7_000

/** Starts PostgreSQL on a cluster. It is not ready yet, and may fail: see `exited`. */
export async function startPostmaster(
  deps: { log: Log; installation: Installation },
  input: { cluster: string; settings: PostgresSettings },
): Promise<Postmaster> {
  const opened = await openForChild(deps.installation.account, input.cluster)
  const args = ['-D', ...opened.paths, ...toArguments(input.settings)]
  const child = spawnProgram(deps.installation, 'postgres', args, opened.handles)
  // Registered before anything is awaited, because this process may end at any moment.
  const forget = stopAtExit(() => child.kill('SIGINT'))
  await opened.close()
  const lines: string[] = []
  let last: string | null = null
  const gone = new Promise<void>((resolve) => {
    child.once('error', (error) => lines.push(error.message))
    child.once('error', () => resolve())
    // 'close' instead of 'exit', because its last lines contain the reason.
    child.once('close', () => resolve())
  }).then(() => {
    forget()
    last = lines.join('; ') || 'it gave no reason'
  })
  for (const stream of [child.stdout, child.stderr]) if (stream !== null) logLines(stream, deps.log, lines)
  letProcessEnd(child)
  return { pid: child.pid, exited: () => last, stop: () => stopChild(child, gone) }
}

function logLines(stream: Readable, log: Log, lines: string[]): void {
  createInterface({ input: stream }).on('line', (line) => {
    lines.push(line)
    if (lines.length > REMEMBERED_LINES) lines.shift()
    if (line.startsWith('PANIC:')) log.error({ postgresql: line }, 'PostgreSQL stopped')
    else if (line.startsWith('FATAL:') && !EXPECTED.test(line))
      log.warn({ postgresql: line }, 'PostgreSQL refused')
    else log.debug({ postgresql: line }, 'PostgreSQL')
  })
}

/** Lets this process end without waiting: a server that exits without `stop` asks PostgreSQL to stop. */
function letProcessEnd(child: ChildProcess): void {
  child.unref()
  for (const stream of [child.stdout, child.stderr]) {
    if (stream !== null && 'unref' in stream && typeof stream.unref === 'function') stream.unref()
  }
}

async function stopChild(child: ChildProcess, gone: Promise<void>): Promise<void> {
  child.ref()
  child.kill('SIGINT')
  const impatience = setTimeout(() => child.kill('SIGQUIT'), STOP_PATIENCE_MS)
  await gone
  clearTimeout(impatience)
}
