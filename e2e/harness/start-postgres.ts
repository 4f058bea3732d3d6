import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { toUrl } from '../../packages/server/test/harness/database.ts'
import { startTemporaryPostgres, superuserOf } from '../../packages/server/test/harness/temporary-postgres.ts'
import { withDatabase } from './with-database.ts'

/** A PostgreSQL server beside the servers under test, as an operator would run one. */
export interface ExternalPostgres {
  /** Creates an empty database and returns its `DATABASE_URL`. */
  createDatabase(): Promise<string>
  /** The unix socket that it listens on. */
  readonly socket: string
  close(): Promise<void>
}

/**
 * Starts PostgreSQL. `settings` are its parameters. One that will be killed needs `synchronous_commit`, which
 * is off for speed.
 */
export async function startPostgres(
  settings: Readonly<Record<string, string>> = {},
): Promise<ExternalPostgres> {
  const { close, superuser } = await startTemporaryPostgres(settings)
  const { host, port = 5432 } = superuser
  return {
    socket: join(host, `.s.PGSQL.${port}`),
    close,
    async createDatabase() {
      const database = `e2e_${randomBytes(6).toString('hex')}`
      await withDatabase(toUrl(superuser), (pool) => pool.query(`create database ${database}`))
      return toUrl({ ...superuser, database })
    },
  }
}

const SOCKET_PORT_LINE = 3
const SOCKET_FOLDER_LINE = 4

/**
 * Returns the running embedded database of a data folder: the URL of its unix socket for the superuser, and
 * the id of its first process.
 */
export async function findEmbeddedPostgres(dataDir: string): Promise<{ url: string; pid: number }> {
  const cluster = join(dataDir, 'postgresql')
  const lines = (await readFile(join(cluster, 'postmaster.pid'), 'utf8')).split('\n')
  const host = resolve(cluster, lines[SOCKET_FOLDER_LINE] ?? '')
  const port = Number(lines[SOCKET_PORT_LINE])
  const superuser = await superuserOf(dataDir, { host, port, user: '', database: '' })
  return { url: toUrl({ ...superuser, database: 'burgee' }), pid: Number(lines[0]) }
}
