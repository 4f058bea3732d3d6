import type { ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import type { Log } from '../../log.ts'
import { type Installation, openForChild, spawnProgram } from './postgres-program.ts'
import { type PostgresSettings, toArguments } from './postgres-settings.ts'
import { stopAtExit } from './stop-at-exit.ts'

/** A PostgreSQL server process that this server started. */
export interface Postmaster {
  pid: number | undefined
  /** Null while it runs; afterwards the last lines that it wrote. */
  exited(): string | null
  /** Fast shutdown: sessions are cut, committed work is written down. Resolves when the process is gone. */
  stop(): Promise<void>
}

const REMEMBERED_LINES = 8

/** What sessions are told while PostgreSQL comes and goes. */
const EXPECTED = /the database system is|terminating connection due to administrator command|lock file/

/** After this long a fast shutdown is made an immediate one: the next start recovers from the log, and nothing is lost. */
const STOP_PATIENCE_MS = 7_000

/** Starts PostgreSQL on a cluster. It is not ready yet, and may turn out to be unable to run: see `exited`. */
export async function startPostmaster(
  deps: { log: Log; installation: Installation },
  input: { cluster: string; settings: PostgresSettings },
): Promise<Postmaster> {
  const opened = await openForChild(deps.installation.account, input.cluster)
  const args = ['-D', ...opened.paths, ...toArguments(input.settings)]
  const child = spawnProgram(deps.installation, 'postgres', args, opened.handles)
  // Before anything is waited for: this process may end at any moment.
  const forget = stopAtExit(() => child.kill('SIGINT'))
  await opened.close()
  const lines: string[] = []
  let last: string | null = null
  const gone = new Promise<void>((resolve) => {
    child.once('error', (error) => lines.push(error.message))
    child.once('error', () => resolve())
    // 'close' and not 'exit': its last lines say why it went.
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

/** A server that ends without `stop` asks PostgreSQL to stop, and does not wait until it is gone. */
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
