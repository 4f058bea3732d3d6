import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { onTestFinished } from 'vitest'
import { runCommand } from '../../src/run-command.ts'

export interface Outcome {
  readonly code: number
  readonly out: string
  readonly err: string
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly stdin?: string
  readonly cwd?: string
  readonly isTerminal?: boolean
  /** Ends a command that serves. */
  readonly stopped?: Promise<void>
  /** Receives what the command prints, as it comes. */
  readonly onOutput?: (text: string) => void
}

/** Returns an empty folder that the test's end removes. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'burgee-cli-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Runs a command line in this process, without the settings of the machine. */
export async function run(args: readonly string[], options: RunOptions = {}): Promise<Outcome> {
  const out = collector(options)
  const err = collector(options)
  const code = await runCommand(
    args,
    {
      env: { XDG_CONFIG_HOME: '/nonexistent', ...options.env },
      cwd: options.cwd ?? tmpdir(),
      stdin: Readable.from(options.stdin === undefined ? [] : [options.stdin]),
      stdout: out.stream,
      stderr: err.stream,
      untilStopped: () => options.stopped ?? Promise.resolve(),
    },
    '0.1.0',
  )
  return { code, out: out.text(), err: err.text() }
}

function collector({ isTerminal: isTTY = false, onOutput }: RunOptions) {
  const chunks: string[] = []
  const stream = new Writable({
    write: (chunk: Buffer, _, done) => {
      chunks.push(String(chunk))
      onOutput?.(String(chunk))
      done()
    },
  })
  return { stream: Object.assign(stream, { isTTY }), text: () => chunks.join('') }
}
