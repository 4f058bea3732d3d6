import { type ExternalPostgres, startPostgres } from '../harness/start-postgres.ts'

/** One PostgreSQL for all rows that do nothing to it: starting one takes seconds. */
let starting: Promise<ExternalPostgres> | null = null

/** A new empty database, as a `DATABASE_URL`. */
export async function createSharedDatabase(): Promise<string> {
  starting ??= startPostgres()
  return (await starting).createDatabase()
}

export async function closeSharedPostgres(): Promise<void> {
  await (await starting)?.close()
}
