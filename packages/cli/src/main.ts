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
process.exitCode = await runCommand(
  process.argv.slice(2),
  { env, cwd: process.cwd(), stdin, stdout, stderr },
  version,
)
