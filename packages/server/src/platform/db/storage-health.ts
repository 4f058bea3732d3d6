import { type Kysely, sql } from 'kysely'
import { withTimeout } from '../concurrency/with-timeout.ts'
import type { Log } from '../log/log.ts'
import { isDatabaseNotWritable, isDatabaseUnavailable } from './database-unavailable.ts'
import type { Database } from './tables.ts'

/** Checks whether the database responds and can store data. */
export interface StorageHealth {
  /** Notes the error of a statement. */
  observe(error: unknown): void
  /**
   * Returns whether data can be stored, and never throws. False also without a response within `timeoutMs`.
   */
  isWritable(db: Kysely<Database>, timeoutMs: number): Promise<boolean>
}

/**
 * Creates the check. A read-only database reports it. A full disk shows only when a file must grow: after a
 * statement has failed for that reason, each check writes a little and rolls it back, until that succeeds.
 */
export function createStorageHealth(log: Log): StorageHealth {
  let hasFailed = false

  function settle(isWritable: boolean): boolean {
    if (isWritable && hasFailed) {
      hasFailed = false
      log.info('the database can store data again')
    }
    return isWritable
  }

  return {
    observe(error) {
      if (hasFailed || !isDatabaseNotWritable(error)) return
      hasFailed = true
      log.error({ err: error }, 'the database cannot store anything: it is read-only, or its disk is full')
    },
    async isWritable(db, timeoutMs) {
      const check = hasFailed ? tryToWrite(db) : isReadWrite(db)
      return settle(
        await withTimeout(
          check.catch(() => false),
          timeoutMs,
          () => false,
        ),
      )
    },
  }
}

async function isReadWrite(db: Kysely<Database>): Promise<boolean> {
  const { rows } = await sql<{ is_read_write: boolean }>`
    select current_setting('transaction_read_only') = 'off' as is_read_write
  `.execute(db)
  return rows[0]?.is_read_write === true
}

/** Makes a file grow by some pages. An unrelated failure (a missing privilege) proves nothing. */
async function tryToWrite(db: Kysely<Database>): Promise<boolean> {
  const attempt = db.transaction().execute(async (tx) => {
    await sql`create temporary table storage_probe (filler text) on commit drop`.execute(tx)
    await sql`insert into storage_probe select md5(n::text) from generate_series(1, 1000) n`.execute(tx)
  })
  return attempt.then(
    () => true,
    (error: unknown) => !isDatabaseNotWritable(error) && !isDatabaseUnavailable(error) && isReadWrite(db),
  )
}
