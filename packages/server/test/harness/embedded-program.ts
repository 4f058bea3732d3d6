import { startEmbeddedPostgres } from '../../src/platform/db/embedded-postgres.ts'
import { silentLog } from './silent-log.ts'

/** A server that is nothing but its embedded database: for tests that kill it, or run it as somebody else. */
const [data_dir = ''] = process.argv.slice(2)

try {
  const postgres = await startEmbeddedPostgres({ data_dir, log: silentLog() })
  process.stdout.write(`ready ${JSON.stringify(postgres.connection)}\n`)
  const stayAlive = setInterval(() => undefined, 60_000)
  process.once('SIGTERM', () => {
    clearInterval(stayAlive)
    void postgres.close()
  })
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
