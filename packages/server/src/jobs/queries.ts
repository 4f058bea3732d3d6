import { type Kysely, sql } from 'kysely'
import type { Database } from '../platform/db/tables.ts'

/** Domain events that were not told to anyone yet; counting ends at `limit`. */
export async function countWaitingEvents(db: Kysely<Database>, limit: number): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`
    select count(*)::int as waiting from (select from domain_events limit ${limit}::int) as some_events
  `.execute(db)
  return rows[0]?.waiting ?? 0
}

/** Scheduled changes whose time has come and that were not executed yet; counting ends at `limit`. */
export async function countDueChanges(db: Kysely<Database>, limit: number): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`
    select count(*)::int as waiting from (
      select from scheduled_changes where executed_at is null and scheduled_at <= now() limit ${limit}::int
    ) as some_changes
  `.execute(db)
  return rows[0]?.waiting ?? 0
}
