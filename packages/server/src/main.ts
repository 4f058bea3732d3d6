#!/usr/bin/env node
import { startApp } from './app.ts'
import { ConfigError, describeConfigError, loadConfig } from './config.ts'
import { systemClock } from './platform/clock.ts'
import { DataDirInUse } from './platform/db/embedded-postgres.ts'
import { MigrationError } from './platform/db/migrate.ts'
import { errorCode } from './platform/error-code.ts'
import { createLog } from './platform/log.ts'

/** SIGTERM drains within this time; what still runs then is cut off (contract, section 1). */
const DRAIN_MS = 10_000

async function main(): Promise<void> {
  const config = loadConfig(process.env)
  const log = createLog(config.log_level)
  const app = await startApp(config, { log, clock: systemClock, print: (line) => console.log(line) })
  console.log(`Burgee is listening on ${app.url}`)
  let stopping = false
  const stop = (signal: NodeJS.Signals): void => {
    if (stopping) return
    stopping = true
    log.info({ signal }, 'shutting down')
    setTimeout(() => process.exit(1), DRAIN_MS).unref()
    app.close().then(
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
  if (error instanceof DataDirInUse || error instanceof MigrationError) return error.message
  if (error instanceof Error && errorCode(error) === 'EADDRINUSE') {
    return `The port is in use already: ${error.message}. Stop what listens there, or set PORT.`
  }
  return error
}
