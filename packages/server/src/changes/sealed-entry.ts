import { encodeAuditFields } from '@burgee/contract'

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

/** Returns the values of `SEAL_ENTRY`. */
export const sealedValues = ({ after, before, ...entry }: SealedEntry) => ({
  ...entry,
  before: before.json,
  before_chunks: before.chunks,
  before_size: before.size,
  after: after.json,
  after_chunks: after.chunks,
  after_size: after.size,
  hashed_chain: encode([entry.chain]),
  hashed_names: encode([
    entry.project_id,
    entry.environment_id,
    entry.flag_key,
    entry.actor_email,
    entry.action,
  ]),
  hashed_metadata: encode([entry.metadata]),
})

const encode = (fields: readonly (string | null)[]): Uint8Array => encodeAuditFields(fields, toUtf8)

const toUtf8 = (text: string) => Buffer.from(text)

/** A text that is not null, as the hash covers it: its length and its UTF-8. */
const hashed = (text: string) => `int4send(octet_length(${text})) || convert_to(${text}, 'UTF8')`

/** A state, whose chunks are stored before the entry. */
const hashedState = (name: 'before' | 'after') => `case
  when :${name}_size::int is null then '\\xffffffff'::bytea
  when :${name}_chunks::text is null then int4send(:${name}_size::int) || convert_to(:${name}::text, 'UTF8')
  else audit_field(chunked_text((select current_audit_month()), :environment_id::uuid, :${name}_chunks::text::bytea)) end`

/**
 * The common table expressions that store an audit entry as the next of its chain: `drawn` (`id`), `sealed`
 * (`seq` and `hash`) and `entered`. The row of the chain is locked until the commit, so the hashes of a chain
 * are in the order of its commits. The hash is that of the function `audit_hash`, as tests compare.
 */
export const SEAL_ENTRY = `
  drawn as materialized (
    select nextval('audit_log_id_seq') as id
  ), sealed as (
    update audit_chains link set seq = link.seq + 1, moved_at = :now::text::timestamptz,
      head = sha256(link.head || ${hashed('drawn.id::text')} || :hashed_chain::bytea || ${hashed('(link.seq + 1)::text')}
        || :hashed_names::bytea || ${hashedState('before')} || ${hashedState('after')} || :hashed_metadata::bytea
        || ${hashed(`to_char(:now::text::timestamptz at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`)})
    from drawn where link.chain = :chain::text
    returning link.seq, link.head as hash
  ), entered as (
    insert into audit_log
      (id, chain, seq, hash, project_id, environment_id, flag_key, actor_email, action, before_data, before_chunks, before_size, before_revision,
        after_data, after_chunks, after_size, after_revision, metadata, stored_bytes, created_at)
    select drawn.id, case when sealed.seq is not null then :chain::text end, sealed.seq, sealed.hash, :project_id::uuid,
      :environment_id::uuid, :flag_key::text, :actor_email::text, :action::text,
      :before::text::json, :before_chunks::text::bytea, :before_size::int, :before_revision::bigint,
      :after::text::json, :after_chunks::text::bytea, :after_size::int, :after_revision::bigint,
      :metadata::text::json, :stored_bytes::int, :now::text::timestamptz
    from drawn left join sealed on true
  )`
