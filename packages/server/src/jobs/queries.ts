import { type Kysely, sql } from 'kysely'
import type { Database } from '../platform/db/tables.ts'

/** Domain events that were not told to anyone yet; counting ends at `limit`. */
export async function countWaitingEvents(db: Kysely<Database>, limit: number): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`
    select count(*)::int as waiting from (select from domain_events limit ${limit}::int) as some_events
  `.execute(db)
  return rows[0]?.waiting ?? 0
}
