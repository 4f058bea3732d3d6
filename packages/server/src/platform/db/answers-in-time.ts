import { type Kysely, sql } from 'kysely'
import type { Database } from './tables.ts'

/** Does the database answer a trivial query within `timeout_ms`? Never throws. */
export async function answersInTime(db: Kysely<Database>, timeout_ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), timeout_ms)
  })
  const answer = sql`select 1`.execute(db).then(
    () => true,
    () => false,
  )
  return Promise.race([answer, timeout]).finally(() => clearTimeout(timer))
}
