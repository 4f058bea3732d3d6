import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { embeddedFile, serverFile } from './paths.mjs'

/** The connections: enough for two servers' pools and the bench. */
const MAX_CONNECTIONS = 80

/**
 * Starts one durable PostgreSQL (fsync on) from the embedded binaries, which the servers use as an external
 * database. It creates an empty database for each caller.
 */
export async function startPostgres() {
  const { startEmbeddedPostgres } = await import(embeddedFile('index.js'))
  const dataDir = await mkdtemp(join(tmpdir(), 'burgee-bench-'))
  const postgres = await startEmbeddedPostgres({
    dataDir,
    log: await quietLog(),
    max_connections: MAX_CONNECTIONS,
  })
  const { readSecret } = await import(embeddedFile('cluster-secret.js'))
  const password = await readSecret(dataDir)
  const superuser = { ...postgres.connection, user: 'burgee', password, database: 'postgres' }
  return {
    /** Returns a version such as `PostgreSQL 18.4`. */
    version: () => ask(superuser, 'select version()').then(([{ version }]) => version.split(' on ')[0]),
    async createDatabase() {
      const name = `bench_${randomBytes(6).toString('hex')}`
      await ask(superuser, `create database ${name}`)
      return toUrl({ ...superuser, database: name })
    },
    async close() {
      await postgres.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

async function ask(connection, statement) {
  const { connectDatabase } = await import(serverFile('platform/db/connect.js'))
  const { close, pool } = connectDatabase({ connection, max_connections: 1, log: await quietLog() })
  const { rows } = await pool.query(statement).finally(close)
  return rows
}

async function quietLog() {
  const { createLog } = await import(serverFile('platform/log.js'))
  return createLog('error')
}

/**
 * Builds a URL. A folder (unix socket) is not a host name: it is passed as a parameter, which overrides the
 * host.
 */
function toUrl({ host, port, database, user, password }) {
  const login = password === undefined ? user : `${user}:${encodeURIComponent(password)}`
  const isSocket = host.startsWith('/')
  const socket = isSocket ? `?host=${encodeURIComponent(host)}` : ''
  return `postgresql://${login}@${isSocket ? 'localhost' : host}:${port}/${database}${socket}`
}
