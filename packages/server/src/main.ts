#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { startApp } from './app.ts'
import { ConfigError, describeConfigError, loadConfig } from './config.ts'
import { systemClock } from './platform/clock.ts'
import { DataKeyLocked } from './platform/crypto/data-key.ts'
import { DatabaseUnavailable } from './platform/db/database-unavailable.ts'
import { DataDirInUse } from './platform/db/embedded-postgres.ts'
import { MigrationError } from './platform/db/migrate.ts'
import { errorCode } from './platform/error-code.ts'
import { hideAddresses } from './platform/hide-addresses.ts'
import { createLog, type Log } from './platform/log.ts'
import { openStandardOutput } from './platform/log-destination.ts'

/** SIGTERM drains within this time; what still runs then is cut off (contract, section 1). */
const STOP_MS = 9_500

async function main(): Promise<void> {
  const config = loadConfig(process.env, (path) => readFileSync(path, 'utf8'))
  const log = createLog(config.log_level, openStandardOutput())
  const starting = startApp(config, { log, clock: systemClock, print: (line) => console.log(line) })
  stopOnSignals(log, async () => (await starting).close())
  const { url } = await starting
  console.log(`Burgee is listening on ${url}`)
}

/** A signal that comes while the server is starting waits for it, so that nothing is left behind half started. */
function stopOnSignals(log: Log, close: () => Promise<void>): void {
  let is_stopping = false
  const stop = (signal: NodeJS.Signals): void => {
    if (is_stopping) return
    is_stopping = true
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

main().catch((error: unknown) => {
  console.error(explain(error))
  process.exit(1)
})

/** One line for what the person at the terminal can mend, the whole error for what they cannot. */
function explain(error: unknown): unknown {
  if (error instanceof ConfigError) return describeConfigError(error)
  const is_told = [DataDirInUse, DataKeyLocked, MigrationError].some((kind) => error instanceof kind)
  if (is_told && error instanceof Error) return error.message
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
