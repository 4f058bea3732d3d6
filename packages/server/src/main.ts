#!/usr/bin/env node
import './platform/start-with-small-heap.ts'
import { readFileSync } from 'node:fs'
import { styleText } from 'node:util'
import { ClusterRefused, DataDirInUse } from '@burgee/embedded-postgres'
import type { DestinationStream } from 'pino'
import { type App, startApp } from './app.ts'
import { type Clock, createSteadyClock } from './platform/clock.ts'
import { DataKeyLocked } from './platform/crypto/data-key.ts'
import { CertificateFileUnreadable } from './platform/db/certificate-files.ts'
import { DatabaseUnavailable } from './platform/db/database-unavailable.ts'
import { MigrationError } from './platform/db/migration-error.ts'
import { RolesNotSeparated } from './platform/db/separate-roles.ts'
import { LocksNotFree } from './platform/db/short-locks.ts'
import { letYoungHeapGrow, limitHeapGrowth } from './platform/limit-heap-growth.ts'
import { errorCode } from './platform/log/error-code.ts'
import { hideAddresses } from './platform/log/hide-addresses.ts'
import { createLog, type Log } from './platform/log/log.ts'
import { openStandardOutput } from './platform/log/log-destination.ts'
import { createTextLog } from './platform/log/log-text.ts'
import { type Config, ConfigError, describeConfigError, loadConfig } from './platform/settings/config.ts'

/** The time to drain after SIGTERM. What still runs then is ended (docs/operations.md). */
const STOP_MS = 9_500

/** The time to stop the embedded database after an uncaught error, and the exit code (EX_SOFTWARE). */
const FAULT_MS = 1_500
const FAULT_EXIT_CODE = 70

async function main(): Promise<void> {
  const config = loadConfig(process.env, (path) => readFileSync(path, 'utf8'))
  const isTerminal = process.stdout.isTTY === true
  const log = createLog(config.logLevel, openLog(config.logFormat, isTerminal))
  const clock = createSteadyClock()
  limitHeapGrowth()
  const lines: string[] = []
  const stopping = new AbortController()
  const { signal } = stopping
  const starting = startApp(config, {
    log,
    clock,
    signal,
    print: (line) => lines.push(line),
    setTime: clock.set,
  })
  stopOnSignals(log, async () => {
    stopping.abort()
    await (await starting.catch((error: unknown) => unlessAborted(signal, error)))?.close()
  })
  endOnFault(log, starting)
  const app = await starting.catch((error: unknown) => unlessAborted(signal, error))
  letYoungHeapGrow()
  if (app === null) return
  if (isTerminal && config.logFormat !== 'json')
    console.log(`\n${styleText('bold', 'Burgee')} feature flags and experiments\n`)
  const toLine = config.logFormat === 'json' ? toJsonLine(clock) : (text: string) => text
  for (const line of [`Burgee is listening on ${app.url}`, ...lines]) console.log(toLine(line))
}

/** Returns the line of the log, whatever its level, for a reader that was promised JSON only. */
const toJsonLine = (clock: Clock) => (msg: string) =>
  JSON.stringify({ level: 'info', time: clock.now().toISOString(), msg })

/** Opens the destination of log lines: text for a person, JSON for programs. */
function openLog(format: Config['logFormat'], isTerminal: boolean): DestinationStream {
  const output = openStandardOutput()
  const isText = format === 'auto' ? isTerminal : format === 'text'
  return isText ? createTextLog(output, { hasColors: isTerminal && !process.env.NO_COLOR }) : output
}

/** An aborted start has stopped its parts, so nothing is left to close. */
function unlessAborted(signal: AbortSignal, error: unknown): null {
  if (signal.aborted) return null
  throw error
}

/** Stops the server on a signal. A signal during the start aborts it, with nothing left half started. */
function stopOnSignals(log: Log, close: () => Promise<void>): void {
  let isStopping = false
  const stop = (signal: NodeJS.Signals): void => {
    if (isStopping) return
    isStopping = true
    log.info({ signal }, 'shutting down')
    setTimeout(() => process.exit(1), STOP_MS).unref()
    close().then(
      () => process.exit(0),
      (err: unknown) => {
        log.error({ err }, 'shutting down failed')
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}

/**
 * Ends the process after an uncaught error, which leaves it in an unknown state. It stops serving, and its
 * supervisor starts it again. Unhandled rejections end here as well.
 */
function endOnFault(log: Log, starting: Promise<App>): void {
  let isEnding = false
  process.on('uncaughtException', (err) => {
    if (isEnding) return
    isEnding = true
    setTimeout(() => process.exit(FAULT_EXIT_CODE), FAULT_MS)
    log.fatal({ err }, 'an error was not caught; the server stops')
    starting
      .then((app) => app.abandon())
      .catch(() => undefined)
      .finally(() => process.exit(FAULT_EXIT_CODE))
  })
}

main().catch((error: unknown) => {
  console.error(explain(error))
  process.exit(1)
})

/** Errors whose message is complete. */
const EXPLAINED = [
  CertificateFileUnreadable,
  ClusterRefused,
  DataDirInUse,
  DataKeyLocked,
  LocksNotFree,
  MigrationError,
  RolesNotSeparated,
]

/** Formats an error: one line when the operator can fix it, with the stack otherwise. */
function explain(error: unknown): unknown {
  if (error instanceof ConfigError) return describeConfigError(error)
  const isExplained = EXPLAINED.some((kind) => error instanceof kind)
  if (isExplained && error instanceof Error) return error.message
  if (error instanceof DatabaseUnavailable) {
    return `${error.message}: ${hideAddresses(String(error.cause))}. Is PostgreSQL running, and is DATABASE_URL right?`
  }
  const code = errorCode(error)
  if (!(error instanceof Error)) return error
  if (code === 'EADDRINUSE') {
    return `The port is in use already: ${error.message}. Stop what listens there, or set PORT.`
  }
  if (code !== null && FOLDER_CODES.includes(code)) {
    return `The data folder cannot be used: ${error.message}. Set DATA_DIR to a folder that the server may write to.`
  }
  // The error itself is not logged: its fields may hold input such as a DATABASE_URL.
  return hideAddresses(error.stack ?? error.message)
}

const FOLDER_CODES = ['EEXIST', 'ENOTDIR', 'EACCES', 'EROFS', 'ENOSPC']
