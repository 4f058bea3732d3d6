import { type CompiledQuery, sql, type Transaction } from 'kysely'
import { compileStatement } from '../platform/db/compile-statement.ts'
import type { Database } from '../platform/db/tables.ts'
import { SEAL_ENTRY, type SealedEntry, sealedValues, WORKSPACE_CHAIN } from './sealed-entry.ts'
import type { StoredText } from './stored-text.ts'
import type { FlagSize } from './wire-size.ts'

/** A row of the change log. Its flag and its origins are JSON texts. */
export interface ChangeRow {
  readonly revision: number
  readonly kind: string
  readonly flag_key: string
  readonly flag: StoredText | undefined
  readonly origins: string | undefined
  readonly bytes: number
  /** The audit entry; absent for that of the write. */
  readonly audit_id: number | undefined
}

/** A row of the outbox. */
interface EventRow {
  readonly type: string
  readonly data: StoredText | undefined
}

/** The rows of a write: those of the change log and the outbox, and the audit entry. */
export interface StoredWrite {
  readonly environment_id: string
  readonly project_id: string
  /** The bytes that its rows add to what the environment stores. */
  readonly added_bytes: number
  readonly changes: readonly ChangeRow[]
  /** The bytes that SDKs then receive of each flag where they differ from those in its row. */
  readonly sizes: readonly FlagSize[]
  readonly events: readonly EventRow[]
  readonly entry: SealedEntry
}

/** The bytes that an environment stores and that its SDKs receive after a write, and its receivers. */
export interface WriteTrace {
  /** A webhook or an integration of the environment is enabled. Without any, events need no fan-out. */
  readonly has_receivers: boolean
  readonly stored_bytes: number
  readonly wire_bytes: number
  /** The bytes that SDKs receive more than before; deleted flags are not included. */
  readonly wire_growth: number
}

/** Stores the revisions, changes, audit entry and events of a write in one statement. */
export async function insertWrite(tx: Transaction<Database>, write: StoredWrite): Promise<WriteTrace> {
  const { changes, events, sizes } = write
  const isPlain = changes.length <= 1 && events.length <= 1 && sizes.length === 0
  const { rows } = await tx.executeQuery<WriteTrace>(isPlain ? plainWrite(write) : largeWrite(write))
  return rows[0] ?? { has_receivers: false, stored_bytes: 0, wire_bytes: 0, wire_growth: 0 }
}

/** The write of at most one change and event, which changes no size: nearly every write. */
function plainWrite(write: StoredWrite): CompiledQuery {
  const [change] = write.changes
  const [event] = write.events
  return PLAIN_WRITE({
    ...commonValues(write),
    change_revision: change?.revision,
    change_kind: change?.kind,
    change_flag_key: change?.flag_key,
    change_flag: change?.flag?.json,
    change_chunks: change?.flag?.chunks,
    change_size: change?.flag?.size,
    change_origins: change?.origins,
    change_bytes: change?.bytes,
    change_audit_id: change?.audit_id,
    event_type: event?.type,
    event_data: event?.data?.json,
    event_chunks: event?.data?.chunks,
    event_size: event?.data?.size,
  })
}

function largeWrite(write: StoredWrite): CompiledQuery {
  return LARGE_WRITE({
    ...commonValues(write),
    sizes: JSON.stringify(write.sizes),
    changes: encodeRows(write.changes.map(encodeChange)),
    events: encodeRows(write.events.map(encodeEvent)),
  })
}

const commonValues = (write: StoredWrite) => ({
  ...sealedValues(write.entry),
  environment_id: write.environment_id,
  event_project_id: write.project_id,
  added_bytes: write.added_bytes,
  revisions: write.changes.length,
})

function encodeChange({ flag, origins, ...columns }: ChangeRow): string {
  const head = JSON.stringify({ ...columns, flag_chunks: flag?.chunks, flag_size: flag?.size })
  return withJson(withJson(head, 'flag', flag?.json), 'origins', origins)
}

function encodeEvent({ data, type }: EventRow): string {
  const head = JSON.stringify({ type, data_chunks: data?.chunks, data_size: data?.size })
  return withJson(head, 'data', data?.json)
}

/** Adds a field whose value is already JSON. */
const withJson = (object: string, name: string, json: string | null | undefined): string =>
  json ? `${object.slice(0, -1)},"${name}":${json}}` : object

const encodeRows = (rows: readonly string[]): string => `[${rows.join(',')}]`

const REVISED = `update environments set revision = revision + :revisions::int, stored_bytes = stored_bytes + :added_bytes::bigint`

const CHANGE_COLUMNS = `environment_changes
  (environment_id, revision, kind, flag_key, flag, flag_chunks, flag_size, origins, chunk_month, audit_id, bytes, created_at)`

/** The time of a change. Under the environment's lock it never steps back, so a time names one revision. */
const CHANGED_AT = `greatest(:now::text::timestamptz, (
  select created_at from environment_changes last where last.environment_id = :environment_id::uuid
  order by last.revision desc limit 1))`

const EVENT_COLUMNS = `domain_events
  (project_id, environment_id, type, data, data_chunks, data_size, chunk_month, created_at, fanned_out_at, audit)`

const HAS_RECEIVERS = `exists(select from webhooks where environment_id = :environment_id::uuid and enabled)
  or exists(select from integrations where environment_id = :environment_id::uuid and enabled) as has_receivers`

const EVENT_PLACE = `:now::text::timestamptz,
  (select case when not has_receivers then :now::text::timestamptz end from revised),
  (select json_build_object('chain', :chain::text, 'seq', seq, 'hash', encode(hash, 'hex')) from sealed)`

const PLAIN_WRITE = compileStatement(`
  with revised as (
    ${REVISED} where id = :environment_id::uuid
    returning stored_bytes, wire_bytes, 0 as wire_growth, ${HAS_RECEIVERS}
  ), ${SEAL_ENTRY}, changed as (
    insert into ${CHANGE_COLUMNS}
    select :environment_id::uuid, :change_revision::bigint, :change_kind::text, :change_flag_key::text, :change_flag::text::json,
      :change_chunks::text::bytea, :change_size::int, :change_origins::text::json,
      case when :change_chunks::text is not null then current_audit_month() end,
      coalesce(:change_audit_id::bigint, drawn.id), :change_bytes::int, ${CHANGED_AT}
    from drawn where :change_kind::text is not null
  ), published as (
    insert into ${EVENT_COLUMNS}
    select :event_project_id::uuid, :environment_id::uuid, :event_type::text, :event_data::text::json, :event_chunks::text::bytea,
      :event_size::int, case when :event_chunks::text is not null then current_audit_month() end, ${EVENT_PLACE}
    where :event_type::text is not null
  )
  select stored_bytes, wire_bytes, wire_growth, has_receivers from revised`)

const LARGE_WRITE = compileStatement(`
  with sized as (
    select flags.key, size.bytes, size.bytes - flags.wire_bytes as growth
    from json_to_recordset(:sizes::text::json) as size(flag_key text, bytes int)
    join flags on flags.environment_id = :environment_id::uuid and flags.key = size.flag_key
    where size.bytes <> flags.wire_bytes
  ), resized as (
    update flags set wire_bytes = sized.bytes from sized
    where flags.environment_id = :environment_id::uuid and flags.key = sized.key
  ), grown as (
    select coalesce(sum(growth), 0)::bigint as bytes from sized
  ), revised as (
    ${REVISED}, wire_bytes = greatest(0, wire_bytes + (select bytes from grown))
    where id = :environment_id::uuid
    returning stored_bytes, wire_bytes, (select bytes from grown) as wire_growth, ${HAS_RECEIVERS}
  ), ${SEAL_ENTRY}, changed as (
    insert into ${CHANGE_COLUMNS}
    select :environment_id::uuid, change.revision, change.kind, change.flag_key, change.flag, change.flag_chunks, change.flag_size,
      change.origins, case when change.flag_chunks is not null then current_audit_month() end,
      coalesce(change.audit_id, (select id from drawn)), change.bytes, ${CHANGED_AT}
    from json_to_recordset(:changes::text::json)
      as change(revision bigint, kind text, flag_key text, flag json, flag_chunks bytea, flag_size int, origins json, bytes int,
        audit_id bigint)
  ), published as (
    insert into ${EVENT_COLUMNS}
    select :event_project_id::uuid, :environment_id::uuid, event.type, event.data, event.data_chunks, event.data_size,
      case when event.data_chunks is not null then current_audit_month() end, ${EVENT_PLACE}
    from json_to_recordset(:events::text::json) as event(type text, data json, data_chunks bytea, data_size int)
  )
  select stored_bytes, wire_bytes, wire_growth, has_receivers from revised`)

const INSERT_ENTRY = compileStatement<ReturnType<typeof sealedValues>>(
  `with ${SEAL_ENTRY} select id from drawn`,
)

/**
 * Stores an audit entry alone, and returns its id. The row of the workspace is locked before its chain, as a
 * transaction that changes it first does: two in another order would wait for each other.
 */
export async function insertAuditEntry(tx: Transaction<Database>, entry: SealedEntry): Promise<number> {
  if (entry.chain === WORKSPACE_CHAIN) await sql`select from workspace for no key update`.execute(tx)
  const { rows } = await tx.executeQuery<{ id: number }>(INSERT_ENTRY(sealedValues(entry)))
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
