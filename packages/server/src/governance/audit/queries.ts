import { AUDIT_GROUP_KINDS, type AuditGroup } from '@burgee/contract'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { wholeText } from '../../changes/index.ts'
import { clamp } from '../../kernel/paging.ts'
import type { ListQuery } from '../../platform/db/bounded-page.ts'
import { utcText } from '../../platform/db/json-row.ts'
import type { Database } from '../../platform/db/tables.ts'

export interface AuditFilter {
  readonly id?: number | undefined
  readonly project_id?: string | undefined
  readonly environment_id?: string | undefined
  readonly flag_key?: string | undefined
  /** The actor, ignoring case, as e-mails everywhere (docs/reference/access.md). */
  readonly actor?: string | undefined
  readonly action?: string | undefined
  /** Entries that switched a flag this way. */
  readonly switched?: 'on' | 'off' | undefined
  /** The time, ISO 8601 in UTC; both bounds are inclusive. */
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly resource?: string | undefined
  readonly group?: AuditGroup | undefined
  /** The kind of a credential, or its kind and id: `sdk_key:7`. */
  readonly credential?: string | undefined
  /** The environments that the caller may read: only these, or all but these. All where it is absent. */
  readonly readable?: Readable | undefined
  /** Only later entries, oldest first, without those that an unfinished transaction may still precede. */
  readonly sinceId?: number | undefined
  /** True for entries with their project. */
  readonly isPlaced?: boolean
}

export type Readable = { readonly only: readonly string[] } | { readonly except: readonly string[] }

export interface AuditPaging {
  readonly limit: number
  readonly offset: number
  /** The id of the entry after which the page starts, in the order of the list. */
  readonly lastId: number | null
}

/** Returns the matching entries as the API shows them: newest first, or oldest first after an id. */
export function auditList(
  db: Kysely<Database>,
  filter: AuditFilter,
  { lastId, limit, offset }: AuditPaging,
): ListQuery {
  const isForward = filter.sinceId !== undefined
  let matched = matching(db, filter)
  if (lastId !== null) matched = matched.where('id', isForward ? '>' : '<', lastId)
  // Entries that an offset skips are read from the index alone: 8 times as fast at 40,000 entries.
  const ids = matched
    .select('id')
    .orderBy('id', isForward ? 'asc' : 'desc')
    .limit(limit + 1)
    .offset(offset)
  return {
    rows: sql`
      select id, month, project_id, environment_id, flag_key, actor_email, action, before_data, before_chunks, after_data, after_chunks, metadata,
        created_at, chain, seq, hash, ${ENTRY_BYTES}::int + coalesce(octet_length(metadata::text), 0)
          + coalesce(before_size, octet_length(before_data::text), 0)
          + coalesce(after_size, octet_length(after_data::text), 0) as bytes
      from audit_log where id in (${ids})`,
    orderBy: isForward ? sql`id` : sql`id desc`,
    item: filter.isPlaced ? PLACED_TEXT : ENTRY_TEXT,
    place: sql`json_build_array(id)`,
  }
}

/** The bytes of an entry without its data. */
const ENTRY_BYTES = 560

const dataText = (name: 'before' | 'after'): RawBuilder<string | null> =>
  wholeText({
    json: `${name}_data`,
    chunks: `${name}_chunks`,
    month: 'month',
    environment_id: 'environment_id',
  })

const entryText = (
  place: RawBuilder<string>,
) => sql<string>`concat('{"id":', id, ${place}, ',"environment_id":', coalesce(to_json(environment_id)::text, 'null'),
  ',"flag_key":', to_json(flag_key), ',"actor_email":', to_json(actor_email), ',"action":', to_json(action),
  ',"before_data":', coalesce(${dataText('before')}, '{}'), ',"after_data":', coalesce(${dataText('after')}, '{}'),
  ',"metadata":', coalesce(metadata::text, 'null'), ',"created_at":', to_json(${utcText(sql`created_at`)}),
  ',"chain":', coalesce(to_json(chain)::text, 'null'), ',"seq":', coalesce(seq::text, 'null'),
  ',"hash":', coalesce('"' || encode(hash, 'hex') || '"', 'null'), '}')`

/** Built as text, so that stored texts are not parsed on their way out. */
const ENTRY_TEXT = entryText(sql`''`)
const PLACED_TEXT = entryText(sql`concat(',"project_id":', coalesce(to_json(project_id)::text, 'null'))`)

function matching(db: Kysely<Database>, filter: AuditFilter) {
  const {
    action,
    actor,
    credential,
    environment_id,
    flag_key,
    from,
    group,
    id,
    project_id,
    readable,
    resource,
    sinceId,
    switched,
    to,
  } = filter
  let query = db.selectFrom('audit_log')
  if (id !== undefined) query = query.where('id', '=', clamp(id, 1, Number.MAX_SAFE_INTEGER))
  if (project_id !== undefined) query = query.where('project_id', '=', project_id)
  if (environment_id !== undefined) query = query.where('environment_id', '=', environment_id)
  if (flag_key !== undefined) query = query.where('flag_key', '=', flag_key)
  // The index has only entries of flags.
  if (flag_key) query = query.where(sql<boolean>`flag_key <> ''`)
  if (actor !== undefined) query = query.where(sql<boolean>`lower(actor_email) = lower(${actor})`)
  if (action?.endsWith('.')) query = query.where(sql<boolean>`starts_with(action, ${action}::text)`)
  else if (action !== undefined) query = query.where('action', '=', action)
  if (switched !== undefined) {
    query = query.where(wasSwitched(switched === 'on'))
  }
  if (readable !== undefined) query = query.where(isReadable(readable))
  if (resource !== undefined) query = query.where(sql<boolean>`metadata ->> 'resource' = ${resource}`)
  if (group !== undefined) query = query.where(isInGroup(group))
  if (credential !== undefined) query = query.where(isWrittenWith(credential))
  if (sinceId !== undefined) query = query.where('id', '>', sinceId).where(IS_SETTLED)
  if (from !== undefined) query = query.where('created_at', '>=', from)
  if (to !== undefined) query = query.where('created_at', '<=', to)
  return query
}

const IS_OF_REQUEST = sql<boolean>`starts_with(action, 'change_request.')`

/** Returns the groups that have kinds of resources, with their names as literals. */
const groupsByKind = Object.entries(AUDIT_GROUP_KINDS)
  .filter(([, kinds]) => kinds.length > 0)
  .map(
    ([group, kinds]) =>
      sql`when split_part(metadata ->> 'resource', ':', 1) = any(${sql.lit(`{${kinds.join(',')}}`)}::text[])
        then ${sql.lit(group)}`,
  )

/** The group of an entry, except that of flags: exactly the expression of `audit_log_group_idx`. */
const GROUP = sql<string | null>`(case
  when starts_with(action, 'auth.') then 'authentication'
  when ${IS_OF_REQUEST} then 'change_requests'
  ${sql.join(groupsByKind, sql` `)}
end)`

const isInGroup = (group: AuditGroup) =>
  group === 'flags'
    ? sql<boolean>`(flag_key <> '' and not ${IS_OF_REQUEST})`
    : sql<boolean>`${GROUP} = ${group}`

function isWrittenWith(credential: string) {
  const [kind = '', ...id] = credential.split(':')
  const isOfKind = sql<boolean>`metadata -> 'credential' ->> 'kind' = ${kind}`
  return id.length === 0
    ? isOfKind
    : sql<boolean>`(${isOfKind} and metadata -> 'credential' ->> 'id' = ${id.join(':')})`
}

/**
 * Entries of readable environments, and those that concern no environment. Notes about drift concern two:
 * they are left out where the caller may not read all.
 */
function isReadable(readable: Readable) {
  if ('except' in readable && readable.except.length === 0) return sql<boolean>`true`
  const inPlace =
    'only' in readable
      ? sql`environment_id = any(${[...readable.only]}::uuid[])`
      : sql`environment_id <> all(${[...readable.except]}::uuid[])`
  return sql<boolean>`(${inPlace} or environment_id is null
    and not starts_with(coalesce(metadata ->> 'resource', ''), 'drift_note:'))`
}

/**
 * Entries whose transaction ended before every unfinished one began. Later ones may still follow an entry
 * with a smaller id. The second covers an id that was drawn just before its transaction began to write.
 */
const IS_SETTLED = sql<boolean>`(age(xmin) > age(pg_snapshot_xmin(pg_current_snapshot())::xid)
  and created_at < now() - interval '1 second')`

/** Selects entries that switched a flag: exactly by the condition of `audit_log_workspace_switched_idx`. */
const wasSwitched = (on: boolean) =>
  sql<boolean>`flag_key <> '' and ((before_data ->> 'is_enabled') <> (after_data ->> 'is_enabled')
      or before_chunks is not null or after_chunks is not null)
    and ${isEnabledIn('before')} = ${String(!on)} and ${isEnabledIn('after')} = ${String(on)}`

/** `true` or `false`; null where the entry holds no flag. */
const isEnabledIn = (name: 'before' | 'after') =>
  sql<string | null>`(${dataText(name)})::json ->> 'is_enabled'`
