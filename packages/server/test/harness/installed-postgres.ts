import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { postgresAccount } from '../../../embedded-postgres/src/postgres-account.ts'
import { connectDatabase } from '../../src/platform/db/connect.ts'
import type { DatabaseAddress } from '../../src/platform/db/database-connection.ts'
import { eventually } from './eventually.ts'
import { silentLog } from './silent-log.ts'

const log = silentLog()

/** A PostgreSQL of the machine's packages, with its own programs. */
export interface InstalledPostgres {
  createDatabase(name: string): Promise<DatabaseAddress>
  /** Returns the definitions of a database as `pg_dump` writes them. */
  dumpSchema(name: string): Promise<string>
  close(): Promise<void>
}

/** The folder of the programs of a version as Debian installs them, or null. */
export function findInstalledPostgres(version: number): string | null {
  const folder = `/usr/lib/postgresql/${version}/bin`
  return ['initdb', 'postgres', 'pg_dump'].every((name) => existsSync(join(folder, name))) ? folder : null
}

/** Starts a temporary cluster with the programs of the folder. */
export async function startInstalledPostgres(folder: string): Promise<InstalledPostgres> {
  const account = await postgresAccount({ log }, [])
  const cluster = await mkdtemp(join(tmpdir(), 'burgee-installed-'))
  if (account !== null) chownSync(cluster, account.uid, account.gid)
  const options = { cwd: '/', env: { LC_ALL: 'C', TZ: 'UTC' }, ...(account ?? {}) }
  const run = (name: string, args: readonly string[]) =>
    promisify(execFile)(join(folder, name), args, { ...options, maxBuffer: 16 * 1024 * 1024 })
  await run('initdb', ['-D', cluster, '-U', 'burgee', '--auth=trust', '--encoding=UTF8', '--no-sync'])
  const settings = ['listen_addresses=', `unix_socket_directories=${cluster}`, 'fsync=off']
  const args = ['-D', cluster, ...settings.flatMap((setting) => ['-c', setting])]
  const server = spawn(join(folder, 'postgres'), args, { ...options, stdio: 'ignore' })
  const ended = once(server, 'exit')
  const address = { host: cluster, port: 5432, user: 'burgee' }
  const admin = connectDatabase({ connection: { ...address, database: 'postgres' }, max_connections: 1, log })
  await eventually(() =>
    admin.pool.query('select').then(
      () => true,
      () => false,
    ),
  )
  return {
    async createDatabase(name) {
      await admin.pool.query(`create database ${name}`)
      return { ...address, database: name }
    },
    async dumpSchema(name) {
      const { stdout } = await run('pg_dump', ['--schema-only', '-h', cluster, '-U', 'burgee', name])
      // Their argument is random.
      return stdout.replace(/^\\(un)?restrict .*$/gm, '')
    },
    async close() {
      await admin.close()
      server.kill('SIGINT')
      await ended
      await rm(cluster, { recursive: true, force: true })
    },
  }
}
