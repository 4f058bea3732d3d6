import { sql, type Transaction } from 'kysely'
import { type SealedEntry, sealEntry, WORKSPACE_CHAIN } from '../platform/db/sealed-entry.ts'
import type { Database } from '../platform/db/tables.ts'

/** The rows of a write: those of the change log and the outbox as JSON lists, and the audit entry. */
export interface StoredWrite {
  readonly environment_id: string
  readonly project_id: string
  /** The number of revisions that it takes. */
  readonly revisions: number
  readonly changes: string
  /** The bytes of the rows of the change log. */
  readonly changeBytes: number
  /** The bytes that SDKs then receive of each flag: a JSON list of `flag_key` and `bytes`. */
  readonly sizes: string
  readonly events: string
  readonly entry: SealedEntry
}

/** The bytes that an environment stores and that its SDKs receive, after a write. */
interface StoredSizes {
  readonly stored_bytes: number
  readonly wire_bytes: number
  /** The bytes that SDKs receive more than before; deleted flags are not included. */
  readonly wire_growth: number
}

/** Stores the revisions, changes, audit entry and events of a write in one statement and one round trip. */
export async function insertWrite(tx: Transaction<Database>, write: StoredWrite): Promise<StoredSizes> {
  const { entry, environment_id, project_id, revisions } = write
  const { rows } = await sql<StoredSizes>`
    with sized as (
      select flags.key, size.bytes, size.bytes - flags.wire_bytes as growth
      from json_to_recordset(${write.sizes}::json) as size(flag_key text, bytes int)
      join flags on flags.environment_id = ${environment_id}::uuid and flags.key = size.flag_key
      where size.bytes <> flags.wire_bytes
    ), resized as (
      update flags set wire_bytes = sized.bytes from sized
      where flags.environment_id = ${environment_id}::uuid and flags.key = sized.key
    ), grown as (
      select coalesce(sum(growth), 0)::bigint as bytes from sized
    ), revised as (
      update environments set revision = revision + ${revisions}::int, stored_bytes = stored_bytes + ${entry.stored_bytes + write.changeBytes}::bigint,
        wire_bytes = greatest(0, wire_bytes + (select bytes from grown))
      where id = ${environment_id}::uuid
      returning stored_bytes, wire_bytes, (select bytes from grown) as wire_growth
    ), ${sealEntry(entry)}, changed as (
      insert into environment_changes
        (environment_id, revision, kind, flag_key, flag, flag_chunks, flag_size, origins, chunk_month, audit_id, bytes, created_at)
      select ${environment_id}::uuid, change.revision, change.kind, change.flag_key, change.flag, change.flag_chunks, change.flag_size,
        change.origins,
        case when change.flag_chunks is not null then current_audit_month() end,
        coalesce(change.audit_id, (select id from drawn)), change.bytes,
        -- Under the lock of the environment it never steps back, so a time names one revision.
        greatest(${entry.now}::timestamptz, (
          select created_at from environment_changes last where last.environment_id = ${environment_id}::uuid
          order by last.revision desc limit 1))
      from json_to_recordset(${write.changes}::json)
        as change(revision bigint, kind text, flag_key text, flag json, flag_chunks bytea, flag_size int, origins json, bytes int,
          audit_id bigint)
    ), published as (
      insert into domain_events (project_id, environment_id, type, data, data_chunks, data_size, chunk_month, created_at, audit)
      select ${project_id}::uuid, ${environment_id}::uuid, event.type, event.data, event.data_chunks, event.data_size,
        case when event.data_chunks is not null then current_audit_month() end, ${entry.now}::timestamptz,
        (select json_build_object('chain', ${entry.chain}::text, 'seq', seq, 'hash', encode(hash, 'hex')) from sealed)
      from json_to_recordset(${write.events}::json) as event(type text, data json, data_chunks bytea, data_size int)
    )
    select stored_bytes, wire_bytes, wire_growth from revised
  `.execute(tx)
  return rows[0] ?? { stored_bytes: 0, wire_bytes: 0, wire_growth: 0 }
}

/**
 * Stores an audit entry alone, and returns its id. The row of the workspace is locked before its chain, as a
 * transaction that changes it first does: two in another order would wait for each other.
 */
export async function insertAuditEntry(tx: Transaction<Database>, entry: SealedEntry): Promise<number> {
  if (entry.chain === WORKSPACE_CHAIN) await sql`select from workspace for no key update`.execute(tx)
  const { rows } = await sql<{ id: number }>`with ${sealEntry(entry)} select id from drawn`.execute(tx)
  const [row] = rows
  if (!row) throw new Error('an inserted entry has an id')
  return row.id
}

/** The end of a chain: its last entry's place and hash. */
export interface ClosedChain {
  readonly chain: string
  readonly seq: number
  readonly hash: string
}

/**
 * Closes the chains of environments that are being deleted, and returns their ends for the deleting entry.
 * The environments are locked before.
 */
export async function closeChains(
  tx: Transaction<Database>,
  environmentIds: readonly string[],
  now: string,
): Promise<readonly ClosedChain[]> {
  const { rows } = await sql<ClosedChain>`
    update audit_chains set closed_at = ${now}::timestamptz
    where chain = any(${[...environmentIds].sort()}::text[])
    returning chain, seq, encode(head, 'hex') as hash
  `.execute(tx)
  return rows
}
