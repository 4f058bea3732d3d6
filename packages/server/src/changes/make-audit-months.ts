import { type Kysely, sql, type Transaction } from 'kysely'
import { ADVISORY_LOCKS } from '../platform/db/advisory-locks.ts'
import type { Database } from '../platform/db/tables.ts'
import {
  type AuditTable,
  findPartitions,
  hastyTransaction,
  partitionName,
  withSessionLock,
} from './audit-partitions.ts'

interface Month {
  readonly table: AuditTable
  /** The first day of the month. */
  readonly since: string
  readonly until: string
}

/**
 * Creates the missing months of the audit log: this one, the next, and those whose entries arrived when there
 * was none. Each is created by itself, so one that fails does not prevent others. Throws when any failed;
 * meanwhile entries are stored in the default partition, and the next attempt moves them. It needs the rights
 * of the tables' owner.
 */
export async function makeAuditMonths(db: Kysely<Database>): Promise<void> {
  await withSessionLock(db, ADVISORY_LOCKS.makeAuditMonths, async () => {
    const failures: unknown[] = []
    for (const month of await findWantedMonths(db))
      await makeMonth(db, month).catch((error: unknown) => failures.push(error))
    if (failures.length > 0) throw new AggregateError(failures, `months not made: ${failures.length}`)
  })
}

async function findWantedMonths(db: Kysely<Database>): Promise<readonly Month[]> {
  const { rows } = await sql<Month>`
    with ahead as (
      select current_audit_month() as since union all select (current_audit_month() + interval '1 month')::date
    ), wanted as (
      select 'audit_log' as "table", month as since from audit_log_other
      union select 'audit_chunks', month from audit_chunks_other
      union select 'audit_log', since from ahead
      union select 'audit_chunks', since from ahead
    )
    select "table", to_char(since, 'YYYY-MM-DD') as since, to_char(since + interval '1 month', 'YYYY-MM-DD') as until
    from wanted order by 1, 2
  `.execute(db)
  return rows
}

/**
 * Creates a month separately, fills it and attaches it, because `create table ... partition of` would block
 * the log. Rows of the month in the default partition are copied before anything is locked; only later ones
 * are copied under the lock.
 */
async function makeMonth(db: Kysely<Database>, month: Month): Promise<void> {
  const isMade = await hastyTransaction(db, async (tx) => {
    if (await isCovered(tx, month)) return false
    await createTable(tx, month)
    return true
  })
  if (!isMade) return
  await copyRows(db, month)
  await hastyTransaction(db, async (tx) => {
    const { table } = month
    // The tables in the order in which every write locks them.
    await sql`lock table only ${sql.table(table)} in share update exclusive mode`.execute(tx)
    await sql`lock table ${defaultOf(table)} in access exclusive mode`.execute(tx)
    if (await copyRows(tx, month)) await removeRows(tx, month)
    await sql`
      alter table ${sql.table(table)} attach partition ${nameOf(month)}
      for values from (${sql.lit(month.since)}) to (${sql.lit(month.until)})
    `.execute(tx)
  })
}

const nameOf = ({ since, table }: Month) => sql.table(partitionName(table, since))
const defaultOf = (table: AuditTable) => sql.table(`${table}_other`)

/** Returns whether a partition covers the month. ISO dates compare as texts. */
async function isCovered(tx: Transaction<Database>, { since, table, until }: Month): Promise<boolean> {
  const partitions = await findPartitions(tx, table)
  return partitions.some(
    (partition) =>
      (partition.since === null || partition.since <= since) &&
      (partition.until === null || partition.until >= until),
  )
}

/**
 * Creates the table of a month. An existing one that is not attached is from an instance that crashed, and
 * may lack columns that were added since.
 */
async function createTable(tx: Transaction<Database>, month: Month): Promise<void> {
  const name = nameOf(month)
  await sql`drop table if exists ${name}`.execute(tx)
  await sql`
    create table ${name} (
      like ${sql.table(month.table)} including defaults including indexes,
      check (month >= ${sql.lit(month.since)} and month < ${sql.lit(month.until)})
    )
  `.execute(tx)
  await sql`
    create trigger audit_log_no_truncate before truncate on ${name} for each statement execute function refuse_audit_change()
  `.execute(tx)
}

/** The columns that identify a row in its month. */
const KEYS = {
  audit_log: sql`stored.id = copied.id`,
  audit_chunks: sql`stored.environment_id = copied.environment_id and stored.hash = copied.hash`,
}

/**
 * Copies the rows of the month that are not copied yet; rows are only ever added. Returns whether the default
 * partition has any.
 */
async function copyRows(db: Kysely<Database>, month: Month): Promise<boolean> {
  const { since, table, until } = month
  const ofMonth = sql`stored.month >= ${sql.lit(since)} and stored.month < ${sql.lit(until)}`
  await sql`
    insert into ${nameOf(month)} select * from ${defaultOf(table)} stored
    where ${ofMonth} and not exists (select from ${nameOf(month)} copied where ${KEYS[table]})
  `.execute(db)
  const { rows } = await sql<{ has_any: boolean }>`
    select exists (select from ${defaultOf(table)} stored where ${ofMonth}) as has_any`.execute(db)
  return rows[0]?.has_any === true
}

/**
 * Removes rows. Only the owner of the table may disable its trigger, and the lock blocks all others until it
 * is enabled again.
 */
async function removeRows(tx: Transaction<Database>, { since, table, until }: Month): Promise<void> {
  const trigger = sql.id(`${table}_append_only`)
  await sql`alter table ${defaultOf(table)} disable trigger ${trigger}`.execute(tx)
  await sql`delete from ${defaultOf(table)} where month >= ${sql.lit(since)} and month < ${sql.lit(until)}`.execute(
    tx,
  )
  await sql`alter table ${defaultOf(table)} enable trigger ${trigger}`.execute(tx)
}
