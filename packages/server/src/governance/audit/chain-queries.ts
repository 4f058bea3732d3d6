import type { HashedEntry } from '@burgee/contract'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'

/** The row of a chain, with hashes in hexadecimal. */
export interface ChainRow {
  readonly chain: string
  readonly project_id: string | null
  readonly seq: number
  readonly head: string
  readonly genesis: string
  readonly genesis_id: number
  readonly base_seq: number
  readonly base_hash: string
  readonly genesis_dropped: boolean
  readonly is_closed: boolean
}

/** The chains that are meant: all, those of a project, of an environment, or those that moved lately. */
export interface ChainFilter {
  readonly project_id?: string | undefined
  readonly chain?: string | undefined
  readonly environment_id?: string | undefined
  /** Only chains that moved after this time, ISO 8601. */
  readonly movedAfter?: string
}

const HEX = (column: string) => sql<string>`encode(${sql.ref(column)}, 'hex')`

/** Returns chains in the order of their names, the workspace's last. */
export async function findChains(
  db: Kysely<Database>,
  { chain, environment_id, movedAfter, project_id }: ChainFilter,
): Promise<readonly ChainRow[]> {
  let query = db
    .selectFrom('audit_chains')
    .select(['chain', 'project_id', 'seq', 'genesis_id', 'base_seq', 'genesis_dropped'])
    .select([HEX('head').as('head'), HEX('genesis').as('genesis'), HEX('base_hash').as('base_hash')])
    .select(sql<boolean>`closed_at is not null`.as('is_closed'))
    .orderBy(sql`chain collate "C"`)
  if (project_id !== undefined) query = query.where(isOfProject(project_id))
  if (environment_id !== undefined) query = query.where('environment_id', '=', environment_id)
  if (chain !== undefined) query = query.where('chain', '=', chain)
  if (movedAfter !== undefined) query = query.where('moved_at', '>', movedAfter)
  return query.execute()
}

/** The row alone does not decide: its project is not hashed, and a changed one must hide no chain. */
const isOfProject = (project_id: string) => sql<boolean>`(audit_chains.project_id = ${project_id}::uuid
  or chain in (select id::text from environments where project_id = ${project_id}::uuid)
  or (select project_id from audit_log entry where entry.chain = audit_chains.chain order by seq limit 1) = ${project_id}::uuid)`

/** An entry with the texts that its hash covers; `is_readable` is false where its chunks are damaged. */
export interface EntryRow extends HashedEntry {
  readonly hash: string | null
  readonly is_readable: boolean
}

const PAGE_ROWS = 1000
const PAGE_BYTES = 4 * 1024 * 1024

/** Reads the next entries of a chain after a place: bounded in rows and bytes, except for a single one. */
export function readChain(
  db: Kysely<Database>,
  chain: string,
  after: { readonly seq: number; readonly id: number },
): Promise<readonly EntryRow[]> {
  return readEntries(db, {
    matching: sql`chain = ${chain} and (seq, id) > (${after.seq}::bigint, ${after.id}::bigint)`,
    order: sql`seq, id`,
  })
}

/** Reads the next entries of before a chain, up to its last one. */
export function readGenesis(
  db: Kysely<Database>,
  { chain, genesis_id }: ChainRow,
  afterId: number,
): Promise<readonly EntryRow[]> {
  const of = chain === 'workspace' ? sql`environment_id is null` : sql`environment_id = ${chain}::uuid`
  return readEntries(db, {
    matching: sql`${of} and id > ${afterId}::bigint and id <= ${genesis_id}::bigint and seq is null`,
    order: sql`id`,
  })
}

/** Returns the first entry without a place in a chain that was stored after the chain began. */
export async function findUnchained(
  db: Kysely<Database>,
  { chain, genesis_id }: ChainRow,
): Promise<number | null> {
  const of = chain === 'workspace' ? sql`environment_id is null` : sql`environment_id = ${chain}::uuid`
  // In the order of the index: the smallest id would be searched through the whole log.
  const { rows } = await sql<{ id: number }>`
    select id from audit_log where chain is null and ${of} and id > ${genesis_id}::bigint
    order by environment_id, id limit 1
  `.execute(db)
  return rows[0]?.id ?? null
}

interface EntrySelection {
  readonly matching: RawBuilder<unknown>
  readonly order: RawBuilder<unknown>
}

async function readEntries(
  db: Kysely<Database>,
  { matching, order }: EntrySelection,
): Promise<readonly EntryRow[]> {
  const { rows } = await sql<EntryRow>`
    select id, chain, seq, project_id, environment_id, flag_key, actor_email, action, before_data, after_data, metadata, created_at, hash,
      (before_data is null) = (not has_before) and (after_data is null) = (not has_after) as is_readable
    from (
      select id, chain, seq, project_id, environment_id, flag_key, actor_email, action, encode(hash, 'hex') as hash,
        case when before_chunks is null then before_data::text else audit_text(before_data, month, environment_id, before_chunks) end as before_data,
        case when after_chunks is null then after_data::text else audit_text(after_data, month, environment_id, after_chunks) end as after_data,
        coalesce(before_data::text, before_chunks::text) is not null as has_before,
        coalesce(after_data::text, after_chunks::text) is not null as has_after,
        metadata::text as metadata,
        to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as created_at
      from (
        select page.*, sum(coalesce(before_size, octet_length(before_data::text), 0) + coalesce(after_size, octet_length(after_data::text), 0)
          + 500) over (order by ${order}) as bytes, row_number() over (order by ${order}) as nth
        from (select * from audit_log where ${matching} order by ${order} limit ${PAGE_ROWS}::int) page
      ) sized
      where bytes <= ${PAGE_BYTES}::bigint or nth = 1
      order by ${order}
    ) texts
  `.execute(db)
  return rows
}
