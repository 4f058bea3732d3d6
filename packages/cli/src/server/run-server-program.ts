import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { CommandError } from '../command-error.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import type { Io } from '../output/output.ts'

const PACKAGE = '@burgee/server'
const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/**
 * Runs a program of the server package that is installed in the folder, or beside the command, and returns
 * its exit code. The program has the streams of the command, and receives the signals that end it. Its
 * standard output is left out where the command prints the result in another form.
 */
export async function runServerProgram(
  io: Io,
  name: 'main' | 'admin',
  args: readonly string[],
  settings: Readonly<Record<string, string>>,
  isPrinted = true,
): Promise<ExitCode> {
  const child = spawn(process.execPath, [findProgram(io.cwd, name), ...args], {
    cwd: io.cwd,
    env: { ...io.env, ...settings },
    stdio: ['inherit', isPrinted ? 'inherit' : 'ignore', 'inherit'],
  })
  const forward = (signal: NodeJS.Signals) => child.kill(signal)
  for (const signal of SIGNALS) process.on(signal, forward)
  try {
    const [code] = await once(child, 'exit')
    if (code === EXIT.usage) return EXIT.usage
    return code === 0 ? EXIT.done : EXIT.failed
  } finally {
    for (const signal of SIGNALS) process.off(signal, forward)
  }
}

/** Returns the path of the program's bundle. */
function findProgram(cwd: string, name: string): string {
  const places = [join(cwd, 'burgee'), import.meta.url].flatMap(
    (from) => createRequire(from).resolve.paths(PACKAGE) ?? [],
  )
  const found = places
    .map((folder) => join(folder, PACKAGE, 'dist', 'bundle', `${name}.js`))
    .find((path) => existsSync(path))
  if (found !== undefined) return found
  throw new CommandError(
    `${PACKAGE} is not installed here. Install it with npm install ${PACKAGE}; in a clone, build it with npm run build.`,
  )
}
