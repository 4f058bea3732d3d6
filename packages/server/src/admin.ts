import { readFileSync } from 'node:fs'
import { findCluster, startEmbeddedPostgres } from '@burgee/embedded-postgres'
import { allowPassword } from './features/single-sign-on/index.ts'
import { connectDatabase, type DatabaseConnection, isDatabaseUnavailable } from './platform/db/connect.ts'
import { createLog, type Log } from './platform/log.ts'
import { ConfigError, describeConfigError, loadConfig } from './platform/settings/config.ts'

const USAGE = 'Usage: npm run admin -- allow-password <e-mail>'
/** The settings that name the database. A command needs no others. */
const NAMES = ['DATABASE_URL', 'DATABASE_URL_FILE', 'DATA_DIR']

/** Runs a command of the operator on the machine of the server, which may be running. */
async function main([command, email, ...rest]: readonly string[]): Promise<number> {
  if (command !== 'allow-password' || email === undefined || rest.length > 0) {
    console.error(USAGE)
    return 2
  }
  const env = Object.fromEntries(NAMES.map((name) => [name, process.env[name]]))
  const { database } = loadConfig({ ...env, NODE_ENV: 'development' }, (path) => readFileSync(path, 'utf8'))
  const log = createLog('error')
  if (database.kind === 'external') return allow({ connection: database.url, email, log })
  const found = await findCluster(database.dataDir)
  if (found === null) {
    console.error(
      `There is no database in ${database.dataDir}. Set DATA_DIR or DATABASE_URL like the server.`,
    )
    return 1
  }
  try {
    return await allow({ connection: found.connection, email, log })
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error
    // The server is not running, so neither is its database.
    return await withCluster(database.dataDir, log, (connection) => allow({ connection, email, log }))
  } finally {
    await found.close()
  }
}

async function withCluster(
  dataDir: string,
  log: Log,
  work: (connection: DatabaseConnection) => Promise<number>,
): Promise<number> {
  const cluster = await startEmbeddedPostgres({ dataDir, log })
  try {
    return await work(cluster.connection)
  } finally {
    await cluster.close()
  }
}

interface Request {
  readonly connection: DatabaseConnection
  readonly email: string
  readonly log: Log
}

async function allow({ connection, email, log }: Request): Promise<number> {
  const { close, db } = connectDatabase({ connection, max_connections: 1, log })
  try {
    const result = await allowPassword(db, email)
    if (result.kind === 'refused') {
      console.error(result.reason)
      return 1
    }
    console.log(`${result.email} may log in with the password until ${result.until}.`)
    return 0
  } finally {
    await close()
  }
}

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code
  },
  (error: unknown) => {
    console.error(error instanceof ConfigError ? describeConfigError(error) : error)
    process.exitCode = 1
  },
)
