import { sql, type Transaction } from 'kysely'
import type { Database } from '../platform/db/tables.ts'
import type { StoredText } from './stored-text.ts'

/** An audit entry as its row has it. */
export interface StoredEntry {
  readonly project_id: string | null
  readonly environment_id: string | null
  readonly flag_key: string
  readonly actor_email: string
  readonly action: string
  readonly before: StoredText
  readonly before_revision: number | null
  readonly after: StoredText
  readonly after_revision: number | null
  readonly metadata: string
  /** The bytes that it adds to its environment, new chunks included. */
  readonly stored_bytes: number
  /** The time, ISO 8601 in UTC. */
  readonly now: string
}

/** The rows of a write: those of the change log and the outbox as JSON lists, and the audit entry. */
export interface StoredWrite {
  readonly environment_id: string
  readonly project_id: string
  /** The number of revisions that it takes. */
  readonly revisions: number
  readonly changes: string
  /** The bytes that SDKs then receive of each flag: a JSON list of `flag_key` and `bytes`. */
  readonly sizes: string
  readonly events: string
  readonly entry: StoredEntry
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
      update environments set revision = revision + ${revisions}::int, stored_bytes = stored_bytes + ${entry.stored_bytes}::bigint,
        wire_bytes = greatest(0, wire_bytes + (select bytes from grown))
      where id = ${environment_id}::uuid
      returning stored_bytes, wire_bytes, (select bytes from grown) as wire_growth
    ), changed as (
      insert into environment_changes
        (environment_id, revision, kind, flag_key, flag, flag_chunks, flag_size, origins, chunk_month, created_at)
      select ${environment_id}::uuid, change.revision, change.kind, change.flag_key, change.flag, change.flag_chunks, change.flag_size,
        change.origins,
        case when change.flag_chunks is not null then current_audit_month() end, ${entry.now}::timestamptz
      from json_to_recordset(${write.changes}::json)
        as change(revision bigint, kind text, flag_key text, flag json, flag_chunks bytea, flag_size int, origins json)
    ), published as (
      insert into domain_events (project_id, environment_id, type, data, data_chunks, data_size, chunk_month, created_at)
      select ${project_id}::uuid, ${environment_id}::uuid, event.type, event.data, event.data_chunks, event.data_size,
        case when event.data_chunks is not null then current_audit_month() end, ${entry.now}::timestamptz
      from json_to_recordset(${write.events}::json) as event(type text, data json, data_chunks bytea, data_size int)
    ), entered as (
      ${insertEntry(entry)}
    )
    select stored_bytes, wire_bytes, wire_growth from revised
  `.execute(tx)
  return rows[0] ?? { stored_bytes: 0, wire_bytes: 0, wire_growth: 0 }
}

/** Stores an audit entry alone. */
export async function insertAuditEntry(tx: Transaction<Database>, entry: StoredEntry): Promise<void> {
  await insertEntry(entry).execute(tx)
}

const insertEntry = (entry: StoredEntry) => sql`
  insert into audit_log
    (project_id, environment_id, flag_key, actor_email, action, before_data, before_chunks, before_size, before_revision,
      after_data, after_chunks, after_size, after_revision, metadata, stored_bytes, created_at)
  values (${entry.project_id}::uuid, ${entry.environment_id}::uuid, ${entry.flag_key}, ${entry.actor_email}, ${entry.action},
    ${entry.before.json}::json, ${entry.before.chunks}::text::bytea, ${entry.before.size}::int, ${entry.before_revision}::bigint,
    ${entry.after.json}::json, ${entry.after.chunks}::text::bytea, ${entry.after.size}::int, ${entry.after_revision}::bigint,
    ${entry.metadata}::json, ${entry.stored_bytes}::int, ${entry.now}::timestamptz)`
