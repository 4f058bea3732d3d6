import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { passwordOf, SUPERUSER } from '../../../embedded-postgres/src/cluster-roles.ts'
import { readSecret } from '../../../embedded-postgres/src/cluster-secret.ts'
import { CLUSTER_NAME } from '../../../embedded-postgres/src/create-cluster.ts'
import { startEmbeddedPostgres } from '../../../embedded-postgres/src/start-embedded-postgres.ts'
import type { DatabaseAddress } from '../../src/platform/db/database-connection.ts'
import { createLog } from '../../src/platform/log/log.ts'

export interface TemporaryPostgres {
  /** The role that may do everything, and creates databases. */
  readonly superuser: DatabaseAddress
  /** The roles of a server: the owner of the tables, and the one that serves requests. */
  readonly owner: DatabaseAddress
  readonly application: DatabaseAddress
  close(): Promise<void>
}

/** Returns the superuser of a running embedded PostgreSQL, in its maintenance database. */
export async function superuserOf(dataDir: string, connection: DatabaseAddress): Promise<DatabaseAddress> {
  const secret = (await readSecret(dataDir)) ?? ''
  return { ...connection, user: SUPERUSER, password: passwordOf(secret, SUPERUSER), database: 'postgres' }
}

/**
 * Starts a temporary PostgreSQL: fast, without fsync, and removed even when the tests are killed. It allows
 * many connections, because every test file has its own pools.
 */
export async function startTemporaryPostgres(
  settings: Readonly<Record<string, string>> = {},
): Promise<TemporaryPostgres> {
  const dataDir = await mkdtemp(join(tmpdir(), 'burgee-test-'))
  const postgres = await startEmbeddedPostgres({
    dataDir,
    log: createLog('error'),
    settings: {
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      max_connections: 200,
      shared_buffers: '64MB',
      ...settings,
    },
  }).catch(async (error: unknown) => {
    await rm(dataDir, { recursive: true, force: true })
    throw error
  })
  const undertaker = await startUndertaker(dataDir)
  return {
    superuser: await superuserOf(dataDir, postgres.connection),
    owner: postgres.ownerConnection,
    application: postgres.connection,
    async close() {
      undertaker.kill('SIGKILL')
      await postgres.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/**
 * Starts a shell that waits for the end of its input, which comes with the end of this process, and then
 * cleans up.
 */
async function startUndertaker(dataDir: string): Promise<ChildProcess> {
  const [pid = ''] = (await readFile(join(dataDir, CLUSTER_NAME, 'postmaster.pid'), 'utf8')).split('\n')
  const script =
    'cat >/dev/null; kill -QUIT "$1"; while kill -0 "$1" 2>/dev/null; do sleep 0.1; done; rm -rf "$2"'
  const child = spawn('/bin/sh', ['-c', script, 'sh', pid, dataDir], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  child.unref()
  return child
}
