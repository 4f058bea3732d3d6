import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'
import { ADVISORY_LOCKS } from '../platform/db/advisory-locks.ts'
import { compileStatement } from '../platform/db/compile-statement.ts'
import { utcText } from '../platform/db/json-row.ts'
import type { Database } from '../platform/db/tables.ts'
import { type AuditTable, findPartitions, hastyTransaction, withSessionLock } from './audit-partitions.ts'
import { SEAL_ENTRY, type SealedEntry, sealedValues, WORKSPACE_CHAIN } from './sealed-entry.ts'

/** The days for which every month is kept, whatever is requested. */
const KEPT_DAYS = 31

interface Dropping {
  /** The day, such as `2026-01-31`. */
  readonly beforeDay: string
  /** Checked between the steps. The next run continues where this one ended. */
  readonly isClosed: () => boolean
}

/**
 * Drops the months of the audit log that ended before the day, one by one, and records each in an entry. A
 * month is first detached under a short lock, then counted, which may take minutes and blocks no write, then
 * dropped. A crash in between leaves a detached month, with which the next run starts. Does nothing while
 * another instance runs it. Returns the number of dropped entries. It needs the rights of the tables' owner,
 * and connections without a short timeout.
 */
export async function dropAuditMonths(db: Kysely<Database>, dropping: Dropping): Promise<number> {
  let dropped = 0
  await withSessionLock(db, ADVISORY_LOCKS.dropAuditMonths, async () => {
    for (const suffix of await findDetached(db)) {
      if (dropping.isClosed()) return
      dropped += await dropMonth(db, suffix)
    }
    for (const suffix of await findExpired(db, dropping.beforeDay)) {
      if (dropping.isClosed()) return
      await detach(db, 'audit_log', suffix)
      dropped += await dropMonth(db, suffix)
    }
  })
  return dropped
}

/** Returns the suffix that the partitions of a month share. */
const suffixOf = (name: string): string => name.slice('audit_log_'.length)
const detachedName = (table: AuditTable, suffix: string): string => `${table}_expired_${suffix}`

async function findDetached(db: Kysely<Database>): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relkind = 'r' and relname like 'audit\\_log\\_expired\\_%'
      and relnamespace = (select relnamespace from pg_class where oid = 'audit_log'::regclass)
    order by 1
  `.execute(db)
  return rows.map(({ name }) => name.slice(detachedName('audit_log', '').length))
}

async function findExpired(db: Kysely<Database>, beforeDay: string): Promise<readonly string[]> {
  return hastyTransaction(db, async (tx) => {
    const { rows } = await sql<{ cutoff: string }>`
      select least(${beforeDay}::date, (now() at time zone 'UTC')::date - ${KEPT_DAYS}::int)::text as cutoff`.execute(
      tx,
    )
    const cutoff = rows[0]?.cutoff ?? ''
    const partitions = await findPartitions(tx, 'audit_log')
    return partitions
      .filter(({ until }) => until !== null && until <= cutoff)
      .map(({ name }) => suffixOf(name))
  })
}

/** Detaches in one transaction for each table: readers lock the log first, writes lock the chunks first. */
async function detach(db: Kysely<Database>, table: AuditTable, suffix: string): Promise<void> {
  await hastyTransaction(db, async (tx) => {
    const name = `${table}_${suffix}`
    const partitions = await findPartitions(tx, table)
    if (!partitions.some((partition) => partition.name === name)) return
    await sql`alter table ${sql.table(table)} detach partition ${sql.table(name)}`.execute(tx)
    await sql`alter table ${sql.table(name)} rename to ${sql.id(detachedName(table, suffix))}`.execute(tx)
  })
}

/** Drops a month whose entries are detached, with its chunks, which nothing references any more. */
async function dropMonth(db: Kysely<Database>, suffix: string): Promise<number> {
  await detach(db, 'audit_chunks', suffix)
  const log = sql.table(detachedName('audit_log', suffix))
  const counted = await countMonth(db, suffix)
  await db.transaction().execute(async (tx) => {
    await sql`
      insert into stored_bytes_changes (environment_id, bytes)
      select environments.id, -gone.bytes from json_to_recordset(${JSON.stringify(counted.environments)}::json)
        as gone(environment_id uuid, bytes bigint) join environments on environments.id = gone.environment_id
      where gone.bytes <> 0
    `.execute(tx)
    const bases = await moveBases(tx, log)
    await sql`drop table ${log}`.execute(tx)
    await sql`drop table if exists ${sql.table(detachedName('audit_chunks', suffix))}`.execute(tx)
    if (counted.entries === 0) return
    const metadata = {
      origin: 'direct',
      resource: 'audit_log',
      until_month: counted.untilMonth,
      entries: counted.entries,
      ...(bases.length > 0 && { dropped_chains: bases }),
    }
    const none = { json: null, chunks: null, size: null }
    const { rows } = await sql<{ now: string }>`
      select ${utcText(sql`now()`)} as now`.execute(tx)
    const entry: SealedEntry = {
      ...{ chain: WORKSPACE_CHAIN, project_id: null, environment_id: null, flag_key: '' },
      ...{ actor_email: 'system', action: 'delete', metadata: JSON.stringify(metadata), stored_bytes: 0 },
      ...{ before: none, before_revision: null, after: none, after_revision: null },
      now: rows[0]?.now ?? '',
    }
    await tx.executeQuery(insertEntry(sealedValues(entry)))
  })
  return counted.entries
}

const insertEntry = compileStatement<ReturnType<typeof sealedValues>>(`with ${SEAL_ENTRY} select`)

/** Lets the chains start after the entries that are dropped, and returns where each does. */
async function moveBases(tx: Transaction<Database>, log: RawBuilder<unknown>) {
  const { rows } = await sql<{ chain: string; seq: number; hash: string }>`
    with dropped as (
      select coalesce(chain, environment_id::text, ${WORKSPACE_CHAIN}) as chain, max(seq) as seq, bool_or(seq is null) as is_old
      from ${log} group by 1
    ), ended as (
      select dropped.chain, dropped.seq, dropped.is_old,
        (select hash from ${log} entry where entry.chain = dropped.chain and entry.seq = dropped.seq limit 1) as hash
      from dropped
    )
    update audit_chains link set base_seq = greatest(link.base_seq, coalesce(ended.seq, 0)),
      base_hash = case when ended.seq > link.base_seq then ended.hash else link.base_hash end,
      genesis_dropped = link.genesis_dropped or ended.is_old
    from ended where link.chain = ended.chain
    returning link.chain, link.base_seq as seq, encode(link.base_hash, 'hex') as hash
  `.execute(tx)
  return rows.filter(({ seq }) => seq > 0)
}

/**
 * Counts the entries and bytes of a month. Entries of earlier versions have no size, so theirs is estimated
 * from their columns.
 */
async function countMonth(db: Kysely<Database>, suffix: string) {
  const { rows } = await sql<{
    environment_id: string | null
    entries: number
    bytes: number
    last: string
  }>`
    select environment_id, count(*) as entries, to_char(max(month), 'YYYY-MM') as last,
      sum(coalesce(stored_bytes, 200 + coalesce(pg_column_size(before_data), 0) + coalesce(pg_column_size(after_data), 0)))::bigint as bytes
    from ${sql.table(detachedName('audit_log', suffix))}
    group by 1
  `.execute(db)
  return {
    entries: rows.reduce((sum, { entries }) => sum + entries, 0),
    untilMonth: rows.reduce((latest, { last }) => (last > latest ? last : latest), ''),
    environments: rows.map(({ bytes, environment_id }) => ({ environment_id, bytes })),
  }
}
