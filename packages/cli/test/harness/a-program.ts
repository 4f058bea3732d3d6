import type { Command } from 'commander'
import { createProgram } from '../../src/run-command.ts'

/** Returns the program with all commands, for tests of its help. */
export function aProgram(): Command {
  const { stderr, stdin, stdout } = process
  const io = { env: {}, cwd: '/', stdin, stdout, stderr, untilStopped: () => Promise.resolve() }
  return createProgram(io, '0.1.0', () => undefined)
}
