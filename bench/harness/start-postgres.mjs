import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '@burgee/embedded-postgres'
import pg from 'pg'

/** The connections: enough for two servers' pools and the bench. */
const MAX_CONNECTIONS = 100
/** The superuser of an embedded cluster, and the file of its password in the data folder. */
const SUPERUSER = 'burgee'
const PASSWORD_FILE = 'postgresql-password'
const QUIET = { debug() {}, info() {}, warn() {}, error: console.error }

/**
 * Starts one durable PostgreSQL (fsync on) from the embedded binaries, which the servers use as an external
 * database. It creates an empty database for each caller.
 */
export async function startPostgres() {
  const dataDir = await mkdtemp(join(tmpdir(), 'burgee-bench-'))
  const postgres = await startEmbeddedPostgres({ dataDir, log: QUIET, max_connections: MAX_CONNECTIONS })
  const password = (await readFile(join(dataDir, PASSWORD_FILE), 'utf8')).trim()
  const superuser = { ...postgres.connection, user: SUPERUSER, password }
  const ask = (statement) =>
    withDatabase(toUrl({ ...superuser, database: 'postgres' }), (client) => client.query(statement))
  return {
    /** Returns a version such as `PostgreSQL 18.4`. */
    version: () => ask('select version()').then(({ rows: [{ version }] }) => version.split(' on ')[0]),
    async createDatabase() {
      const database = `bench_${randomBytes(6).toString('hex')}`
      await ask(`create database ${database}`)
      return toUrl({ ...superuser, database })
    },
    async close() {
      await postgres.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Calls `work` with a connection of its own to a database. */
export async function withDatabase(connectionString, work) {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/**
 * Builds a URL. A folder (unix socket) is not a host name: it is passed as a parameter, which overrides the
 * host.
 */
function toUrl(/** @type {any} */ { host, port, database, user, password }) {
  const isSocket = host.startsWith('/')
  const socket = isSocket ? `?host=${encodeURIComponent(host)}` : ''
  return `postgresql://${user}:${encodeURIComponent(password)}@${isSocket ? 'localhost' : host}:${port}/${database}${socket}`
}
