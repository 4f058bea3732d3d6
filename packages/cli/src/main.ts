#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { createProxyFetch } from '@burgee/egress'
import { cannotWrite } from './files/file-problem.ts'
import { report, runCommand } from './run-command.ts'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))

// A reader such as `head` may close the pipe before everything is written.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : report(cannotWrite('The standard output', error), process))
})
process.stderr.on('error', () => undefined)
process.on('uncaughtException', (error) => process.exit(report(error, process)))

const { env, stdin, stdout, stderr } = process

// Every request of the command goes through the proxy, also those of libraries.
globalThis.fetch = createProxyFetch({
  HTTPS_PROXY: env.HTTPS_PROXY || env.https_proxy,
  NO_PROXY: env.NO_PROXY || env.no_proxy,
})

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
