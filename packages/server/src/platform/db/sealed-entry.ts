import { type RawBuilder, sql } from 'kysely'

/** The chain of the entries that belong to no environment, and of those that close other chains. */
export const WORKSPACE_CHAIN = 'workspace'

interface SealedText {
  readonly json: string | null
  readonly chunks: string | null
  readonly size: number | null
}

export interface SealedEntry {
  readonly chain: string
  readonly project_id: string | null
  readonly environment_id: string | null
  readonly flag_key: string
  readonly actor_email: string
  readonly action: string
  readonly before: SealedText
  readonly before_revision: number | null
  readonly after: SealedText
  readonly after_revision: number | null
  readonly metadata: string
  readonly stored_bytes: number
  /** The time, ISO 8601 in UTC. */
  readonly now: string
}

/**
 * Returns the common table expressions that store an audit entry as the next of its chain: `entry` (its
 * columns), `drawn` (`id`), `sealed` (`seq` and `hash`) and `entered`. The row of the chain is locked until
 * the commit, so the hashes of a chain are in the order of its commits.
 */
export const sealEntry = (entry: SealedEntry): RawBuilder<unknown> => sql`
  entry as (
    select ${entry.chain}::text as chain, ${entry.project_id}::uuid as project_id, ${entry.environment_id}::uuid as environment_id,
      ${entry.flag_key}::text as flag_key, ${entry.actor_email}::text as actor_email, ${entry.action}::text as action,
      ${entry.before.json}::json as before_data, ${entry.before.chunks}::text::bytea as before_chunks,
      ${entry.after.json}::json as after_data, ${entry.after.chunks}::text::bytea as after_chunks,
      ${entry.metadata}::json as metadata, ${entry.now}::timestamptz as created_at
  ), drawn as materialized (
    select nextval('audit_log_id_seq') as id
  ), sealed as (
    update audit_chains link set seq = link.seq + 1, moved_at = entry.created_at,
      head = audit_hash(link.head, drawn.id, link.chain, link.seq + 1, entry.project_id, entry.environment_id, entry.flag_key,
        entry.actor_email, entry.action, ${textOf('before')}, ${textOf('after')}, entry.metadata::text, entry.created_at)
    from entry, drawn where link.chain = entry.chain
    returning link.seq, link.head as hash
  ), entered as (
    insert into audit_log
      (id, chain, seq, hash, project_id, environment_id, flag_key, actor_email, action, before_data, before_chunks, before_size, before_revision,
        after_data, after_chunks, after_size, after_revision, metadata, stored_bytes, created_at)
    select drawn.id, case when sealed.seq is not null then entry.chain end, sealed.seq, sealed.hash, entry.project_id, entry.environment_id,
      entry.flag_key, entry.actor_email, entry.action,
      entry.before_data, entry.before_chunks, ${entry.before.size}::int, ${entry.before_revision}::bigint,
      entry.after_data, entry.after_chunks, ${entry.after.size}::int, ${entry.after_revision}::bigint,
      entry.metadata, ${entry.stored_bytes}::int, entry.created_at
    from entry cross join drawn left join sealed on true
  )`

/** The text of a state: as stored, or joined from its chunks, which are stored before the entry. */
const textOf = (name: 'before' | 'after') => sql`coalesce(${sql.ref(`entry.${name}_data`)}::text,
  chunked_text((select current_audit_month()), entry.environment_id, ${sql.ref(`entry.${name}_chunks`)}))`
