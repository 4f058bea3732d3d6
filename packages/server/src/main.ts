#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { type App, startApp } from './app.ts'
import { ConfigError, describeConfigError, loadConfig } from './config.ts'
import { createSteadyClock } from './platform/clock.ts'
import { DataKeyLocked } from './platform/crypto/data-key.ts'
import { DatabaseUnavailable } from './platform/db/database-unavailable.ts'
import { ClusterRefused, DataDirInUse } from './platform/db/embedded-postgres.ts'
import { MigrationError } from './platform/db/migrate.ts'
import { RolesNotSeparated } from './platform/db/separate-roles.ts'
import { errorCode } from './platform/error-code.ts'
import { hideAddresses } from './platform/hide-addresses.ts'
import { createLog, type Log } from './platform/log.ts'
import { openStandardOutput } from './platform/log-destination.ts'

/** SIGTERM drains within this time; what still runs then is cut off (docs/operations.md). */
const STOP_MS = 9_500

/** After an uncaught error: the time in which the embedded database is stopped, and the exit code (EX_SOFTWARE). */
const FAULT_MS = 1_500
const FAULT_EXIT_CODE = 70

async function main(): Promise<void> {
  const config = loadConfig(process.env, (path) => readFileSync(path, 'utf8'))
  const log = createLog(config.logLevel, openStandardOutput())
  const clock = createSteadyClock()
  const print = (line: string) => console.log(line)
  const stopping = new AbortController()
  const { signal } = stopping
  const starting = startApp(config, { log, clock, signal, print, setTime: clock.set })
  stopOnSignals(log, async () => {
    stopping.abort()
    await (await starting.catch((error: unknown) => unlessAborted(signal, error)))?.close()
  })
  endOnFault(log, starting)
  const app = await starting.catch((error: unknown) => unlessAborted(signal, error))
  if (app !== null) console.log(`Burgee is listening on ${app.url}`)
}

/** A start that was given up has stopped what it had started. */
function unlessAborted(signal: AbortSignal, error: unknown): null {
  if (signal.aborted) return null
  throw error
}

/** A signal that comes while the server is starting gives the start up; nothing is left behind half started. */
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
 * An error that nothing caught leaves the process in a state that nobody knows. It serves nothing from then on: whoever
 * supervises it starts it again. A rejected promise that nothing handles comes here as well.
 */
function endOnFault(log: Log, starting: Promise<App>): void {
  let isEnding = false
  process.on('uncaughtException', (err) => {
    if (isEnding) return
    isEnding = true
    setTimeout(() => process.exit(FAULT_EXIT_CODE), FAULT_MS)
    log.fatal({ err }, 'an error was not caught; the server ends')
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

/** Errors whose message says all. */
const EXPLAINED = [DataDirInUse, DataKeyLocked, MigrationError, RolesNotSeparated, ClusterRefused]

/** One line for what the person at the terminal can mend, the whole error for what they cannot. */
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
  // Not the error itself: its fields hold what it was given, such as a DATABASE_URL.
  return hideAddresses(error.stack ?? error.message)
}

const FOLDER_CODES = ['EEXIST', 'ENOTDIR', 'EACCES', 'EROFS', 'ENOSPC']
