import type { TestProject } from 'vitest/node'
import { connectDatabase } from '../../src/platform/db/connect.ts'
import { grantApplication } from '../../src/platform/db/grant-application.ts'
import { migrate } from '../../src/platform/db/migrate.ts'
import { createLog } from '../../src/platform/log/log.ts'
import { TEMPLATE_DATABASE } from './provided-context.ts'
import { startTemporaryPostgres, type TemporaryPostgres } from './temporary-postgres.ts'

/** Starts one PostgreSQL for the whole run, with a migrated database to clone from. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await startTemporaryPostgres()
  try {
    await makeTemplate(postgres)
  } catch (error) {
    await postgres.close()
    throw error
  }
  const { application, close, owner, superuser } = postgres
  project.provide('postgres', { superuser, owner, application })
  return close
}

async function makeTemplate({ application, owner, superuser }: TemporaryPostgres): Promise<void> {
  const log = createLog('error')
  const maintenance = connectDatabase({ connection: superuser, max_connections: 1, log })
  await maintenance.pool.query(`create database ${TEMPLATE_DATABASE} owner ${owner.user}`)
  const template = connectDatabase({
    connection: { ...owner, database: TEMPLATE_DATABASE },
    max_connections: 2,
    log,
  })
  await migrate({ db: template.db, log })
    .then(() => grantApplication({ owner: template.db, log }, application.user))
    .finally(() => template.close())
  // A template with connections cannot be cloned.
  await maintenance.pool.query(
    `alter database ${TEMPLATE_DATABASE} with allow_connections false is_template true`,
  )
  await maintenance.close()
}
