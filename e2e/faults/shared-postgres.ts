import { type ExternalPostgres, startPostgres } from '../harness/start-postgres.ts'

/** The one PostgreSQL of all rows that do not affect it: starting one takes seconds. */
let starting: Promise<ExternalPostgres> | null = null

/** Creates an empty database and returns its `DATABASE_URL`. */
export async function createSharedDatabase(): Promise<string> {
  starting ??= startPostgres()
  return (await starting).createDatabase()
}

export async function closeSharedPostgres(): Promise<void> {
  await (await starting)?.close()
}
