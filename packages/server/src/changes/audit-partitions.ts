import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../platform/db/tables.ts'

/** The tables of the audit log, partitioned by month. */
export type AuditTable = 'audit_log' | 'audit_chunks'

/**
 * The wait for a lock on one of these tables. While a transaction waits, every write waits behind it, so it
 * is better to retry later.
 */
const LOCK_TIMEOUT = '1s'

/** Runs a transaction that fails instead of waiting long for a table, and in which dates are `2026-01-31`. */
export async function hastyTransaction<T>(
  db: Kysely<Database>,
  work: (tx: Transaction<Database>) => Promise<T>,
): Promise<T> {
  return db.transaction().execute(async (tx) => {
    await sql`select set_config('lock_timeout', ${LOCK_TIMEOUT}, true), set_config('datestyle', 'ISO', true)`.execute(
      tx,
    )
    return work(tx)
  })
}

/** The connections that work under a session lock needs: the lock must outlive one that breaks. */
export const AUDIT_CONNECTIONS = 2

/**
 * Runs the work while another connection holds the advisory lock. Does nothing while another instance holds
 * it.
 */
export async function withSessionLock(
  db: Kysely<Database>,
  lock: number,
  work: () => Promise<void>,
): Promise<void> {
  await db.connection().execute(async (connection) => {
    const { rows } = await sql<{ is_mine: boolean }>`
      select pg_try_advisory_lock(${lock}::bigint) as is_mine`.execute(connection)
    if (!rows[0]?.is_mine) return
    try {
      await work()
    } finally {
      await sql`select pg_advisory_unlock(${lock}::bigint)`.execute(connection)
    }
  })
}

export interface AuditPartition {
  readonly name: string
  /** The first month, and the month after the last; null means unbounded. */
  readonly since: string | null
  readonly until: string | null
}

/** Returns the partitions of a table except the default one, oldest first. Call it in a hasty transaction. */
export async function findPartitions(
  tx: Transaction<Database>,
  table: AuditTable,
): Promise<readonly AuditPartition[]> {
  const { rows } = await sql<AuditPartition>`
    select name, substring(bounds from 'FROM \\(''([0-9-]+)''\\)') as since,
      substring(bounds from 'TO \\(''([0-9-]+)''\\)') as until
    from (
      select relname as name, pg_get_expr(relpartbound, pg_class.oid) as bounds
      from pg_inherits join pg_class on pg_class.oid = inhrelid
      where inhparent = ${table}::regclass
    ) partitions
    where bounds <> 'DEFAULT'
    order by until
  `.execute(tx)
  return rows
}

export const partitionName = (table: AuditTable, month: string): string =>
  `${table}_${month.slice(0, 'yyyy-mm'.length).replace('-', '')}`
