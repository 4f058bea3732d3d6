import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'
import { connectDatabase, type OpenDatabase } from '../../src/platform/db/connect.ts'
import type { DatabaseAddress } from '../../src/platform/db/database-connection.ts'
import { createLog } from '../../src/platform/log.ts'
import { TEMPLATE_DATABASE } from './provided-context.ts'
import { createSecretWatch, type SecretWatch } from './secret-watch.ts'

export type TestDatabase = {
  /** The superuser's, as are `db` and `pool`: tests look at everything and get in the way of anything. */
  connection: DatabaseAddress
  /** As a `DATABASE_URL` for servers: the role that serves requests. */
  url: string
  /** The `DATABASE_OWNER_URL` that belongs to it. */
  ownerUrl: string
  db: OpenDatabase['db']
  pool: OpenDatabase['pool']
  /** What all servers on this database watch together. */
  secrets: SecretWatch
  drop(): Promise<void>
}

type Options = {
  /** `empty` has no tables at all, for tests of the migrations themselves. */
  from?: 'migrated' | 'empty'
  max_connections?: number
}

/** A database of the test file's own, cloned from the migrated template in some 30 ms. Drop it when the file is done. */
export async function createTestDatabase(options: Options = {}): Promise<TestDatabase> {
  const { application, owner, superuser } = inject('postgres')
  const name = `test_${randomBytes(8).toString('hex')}`
  const template = options.from === 'empty' ? 'template1' : TEMPLATE_DATABASE
  await runOnce(superuser, `create database ${name} template ${template} owner ${owner.user}`)
  const connection = { ...superuser, database: name }
  const open = connectDatabase({
    connection,
    max_connections: options.max_connections ?? 10,
    log: createLog('error'),
  })
  return {
    connection,
    url: toUrl({ ...application, database: name }),
    ownerUrl: toUrl({ ...owner, database: name }),
    db: open.db,
    pool: open.pool,
    secrets: createSecretWatch(),
    async drop() {
      await open.close()
      await runOnce(superuser, `drop database if exists ${name} with (force)`)
    },
  }
}

export function toUrl({ host, port, database, user, password }: DatabaseAddress): string {
  const login = password === undefined ? user : `${user}:${encodeURIComponent(password)}`
  // A folder is no host name: it travels as a parameter, which wins over the host.
  if (host.startsWith('/'))
    return `postgresql://${login}@localhost:${port ?? 5432}/${database}?host=${encodeURIComponent(host)}`
  return `postgresql://${login}@${host}:${port ?? 5432}/${database}`
}

async function runOnce(server: DatabaseAddress, statement: string): Promise<void> {
  const { pool, close } = connectDatabase({ connection: server, max_connections: 1, log: createLog('error') })
  await pool.query(statement).finally(close)
}
