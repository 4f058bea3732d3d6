import { type Kysely, sql, type Transaction } from 'kysely'
import { ADVISORY_LOCKS } from '../../platform/db/advisory-locks.ts'
import { connectDatabase, type DatabaseConnection } from '../../platform/db/connect.ts'
import { holdAlone, lockTables, retryLocks } from '../../platform/db/short-locks.ts'
import type { Database } from '../../platform/db/tables.ts'
import { changeWorkspace } from '../../platform/db/workspace-row.ts'
import type { Log } from '../../platform/log/log.ts'

interface PaddedKeys {
  readonly inner: Buffer
  readonly outer: Buffer
}

/**
 * Replaces the plain user hashes of earlier versions with keyed ones, once for each database, in one
 * transaction: a crash leaves either all or none. Millions of rows take a minute, in which nothing else may
 * write them.
 */
export async function keyUserHashes(
  deps: {
    readonly db: Kysely<Database>
    readonly connection: DatabaseConnection
    readonly log: Log
  },
  keys: PaddedKeys,
): Promise<void> {
  const { connection, db, log } = deps
  if (await areKeyed(db)) return
  const maintenance = connectDatabase({ connection, max_connections: 1, log, longRunning: true })
  try {
    // One instance converts; the others wait and then find the work done.
    const lock = ADVISORY_LOCKS.keyUserHashes
    const converted = await holdAlone(maintenance.db, lock, deps, WORK, (alone) =>
      retryLocks(deps, WORK, () => alone.transaction().execute((tx) => convertOnce(tx, keys))),
    )
    if (!converted) return
    await sql`analyze impression_users, goal_users`.execute(maintenance.db)
    log.info('keyed the user hashes of reports with the secret of this installation')
  } finally {
    await maintenance.close()
  }
}

const WORK = 'keying the user hashes of reports'

async function convertOnce(tx: Transaction<Database>, keys: PaddedKeys): Promise<boolean> {
  if (await areKeyed(tx)) return false
  const hadRows = await convertRows(tx, keys)
  await changeWorkspace(tx, { user_hashes_keyed: true })
  return hadRows
}

async function areKeyed(db: Kysely<Database>): Promise<boolean> {
  const { user_hashes_keyed } = await db
    .selectFrom('workspace')
    .select('user_hashes_keyed')
    .executeTakeFirstOrThrow()
  return user_hashes_keyed
}

/**
 * Copies the rows in the order of the keys: an update in place would leave as many dead rows in tables and
 * indexes.
 */
async function convertRows(tx: Transaction<Database>, keys: PaddedKeys): Promise<boolean> {
  await lockTables(tx, ['impression_users', 'goal_users'])
  const { rows } = await sql<{ is_empty: boolean }>`
    select not exists (select from impression_users) and not exists (select from goal_users) as is_empty`.execute(
    tx,
  )
  if (rows[0]?.is_empty) return false
  const keyed = sql`substr(sha256(${keys.outer}::bytea || sha256(${keys.inner}::bytea || user_hash)), 1, 16)`
  await sql`
    create temporary table keyed_impression_users on commit drop as
    select environment_id, flag_key, ${keyed} as user_hash, value_hash, first_at, first_id from impression_users
  `.execute(tx)
  await sql`truncate impression_users`.execute(tx)
  await sql`
    insert into impression_users (environment_id, flag_key, user_hash, value_hash, first_at, first_id)
    select environment_id, flag_key, user_hash, value_hash, first_at, first_id from keyed_impression_users
    order by environment_id, flag_key, user_hash, value_hash
  `.execute(tx)
  await sql`
    create temporary table keyed_goal_users on commit drop as
    select environment_id, event_key, ${keyed} as user_hash, first_at, last_at, first_id from goal_users
  `.execute(tx)
  await sql`truncate goal_users`.execute(tx)
  await sql`
    insert into goal_users (environment_id, event_key, user_hash, first_at, last_at, first_id)
    select environment_id, event_key, user_hash, first_at, last_at, first_id from keyed_goal_users
    order by environment_id, event_key, user_hash
  `.execute(tx)
  return true
}
