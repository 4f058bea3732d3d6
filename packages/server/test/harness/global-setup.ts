import type { TestProject } from 'vitest/node'
import { connectDatabase } from '../../src/platform/db/connect.ts'
import type { DatabaseAddress } from '../../src/platform/db/database-connection.ts'
import { migrate } from '../../src/platform/db/migrate.ts'
import { createLog } from '../../src/platform/log.ts'
import { TEMPLATE_DATABASE } from './provided-context.ts'
import { startTemporaryPostgres } from './temporary-postgres.ts'

/** One PostgreSQL for the whole run, with a migrated database to clone from. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await startTemporaryPostgres()
  try {
    await makeTemplate(postgres.connection)
  } catch (error) {
    await postgres.close()
    throw error
  }
  project.provide('postgres', postgres.connection)
  return () => postgres.close()
}

async function makeTemplate(connection: DatabaseAddress): Promise<void> {
  const log = createLog('error')
  const maintenance = connectDatabase({ connection, max_connections: 1, log })
  await maintenance.pool.query(`create database ${TEMPLATE_DATABASE}`)
  const template = connectDatabase({
    connection: { ...connection, database: TEMPLATE_DATABASE },
    max_connections: 2,
    log,
  })
  await migrate({ db: template.db, log }).finally(() => template.close())
  // A template that somebody is connected to cannot be cloned.
  await maintenance.pool.query(
    `alter database ${TEMPLATE_DATABASE} with allow_connections false is_template true`,
  )
  await maintenance.close()
}
