import { silentLog } from '../../../server/test/harness/silent-log.ts'
import { startEmbeddedPostgres } from '../../src/start-embedded-postgres.ts'

/** A program that runs only the embedded database, for tests that kill it or run it as another user. */
const [dataDir = ''] = process.argv.slice(2)

const stopping = new AbortController()
const starting = startEmbeddedPostgres({ dataDir, log: silentLog(), signal: stopping.signal })
// Before anything runs: a signal without a handler would end this process and leave PostgreSQL running.
process.once('SIGTERM', () => {
  stopping.abort()
  void starting.then(
    ({ close }) => close().then(() => process.exit(0)),
    () => process.exit(0),
  )
})
try {
  const { ownerConnection } = await starting
  process.stdout.write(`ready ${JSON.stringify(ownerConnection)}\n`)
  setInterval(() => undefined, 60_000)
} catch (error) {
  if (!stopping.signal.aborted) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  }
}
