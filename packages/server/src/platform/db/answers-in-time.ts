import { type Kysely, sql } from 'kysely'
import { within } from '../within.ts'
import type { Database } from './tables.ts'

/** Does the database answer a trivial query within `timeout_ms`? Never throws. */
export async function answersInTime(db: Kysely<Database>, timeout_ms: number): Promise<boolean> {
  const answer = sql`select 1`.execute(db).then(
    () => true,
    () => false,
  )
  return within(timeout_ms, answer, () => false)
}
