#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { runCommand } from './run-command.ts'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))

// A reader such as `head` may close the pipe before everything is written.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  throw error
})

const { env, stdin, stdout, stderr } = process

/** Only a command that serves takes the signals over: any other ends at once. */
const untilStopped = () =>
  new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
  })

process.exitCode = await runCommand(
  process.argv.slice(2),
  { env, cwd: process.cwd(), stdin, stdout, stderr, untilStopped },
  version,
)
