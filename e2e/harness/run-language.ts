import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import type { Stage } from './open-stage.ts'

/** A command of a toolchain. */
export interface Command {
  readonly program: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>>
}

export interface CommandResult {
  readonly isOk: boolean
  readonly output: string
  readonly errors: string
}

/** Runs a command to its end, with the environment of this process: it has the settings of registries. */
export async function runCommand(
  stage: Stage,
  { args, cwd, env, program }: Command,
  input = '',
): Promise<CommandResult> {
  const child = spawn(program, args, { cwd, env: { ...process.env, ...env }, stdio: 'pipe' })
  stage.own(child)
  const failed = new Promise<string>((resolve) => child.once('error', ({ message }) => resolve(message)))
  // A program that does not start takes no input.
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  const result = await Promise.race([ended, failed])
  if (typeof result === 'string') return { isOk: false, output: '', errors: result }
  const [output, errors, [code]] = result
  return { isOk: code === 0, output, errors }
}

/** Texts of package clients whose registry does not answer or refuses. */
const NO_REGISTRY =
  /could not (?:transfer|resolve|fetch)|no matching distribution|failed to (?:download|fetch|get)|name resolution|dial tcp|connection (?:refused|reset)|timed? ?out|forbidden|unreachable/i

/** Returns why a failed preparation is no fault of the product: its registry. Null for any other failure. */
export const missingRegistry = ({ errors, output }: CommandResult): string | null => {
  const line = `${errors}\n${output}`.split('\n').find((each) => NO_REGISTRY.test(each))
  return line === undefined ? null : line.trim().slice(0, 300)
}
