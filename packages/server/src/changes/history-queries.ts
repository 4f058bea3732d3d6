import { type Kysely, sql } from 'kysely'
import type { WireFlag } from '../kernel/wire-flag.ts'
import type { Database } from '../platform/db/tables.ts'
import { wholeText } from './chunk-queries.ts'

/** A revision of an environment, and how far back its history is complete. */
export interface PastRevision {
  readonly revision: number
  /** The present revision. */
  readonly present: number
  /** Null until the flags are stored after an upgrade. */
  readonly history_since: string | null
  /** The oldest revision that is known exactly. */
  readonly first: number
  /** The last change up to the revision; null without one. */
  readonly changed_at: string | null
}

const historySince = sql`case when environments.history_since is not null
  then greatest(environments.history_since, (select history_horizon from workspace)) end`

/** Returns the revision of a moment; undefined when the environment does not exist. */
export async function findPastRevision(
  db: Kysely<Database>,
  environment_id: string,
  asked: { readonly at: string } | { readonly revision: number },
): Promise<PastRevision | undefined> {
  const until =
    'at' in asked ? sql`created_at <= ${asked.at}::timestamptz` : sql`revision <= ${asked.revision}::bigint`
  const { rows } = await sql<PastRevision>`
    select ${'revision' in asked ? sql`${asked.revision}::bigint` : sql`coalesce(last.revision, 0)`} as revision,
      environments.revision as present, ${historySince} as history_since, coalesce((
        select revision from environment_changes where environment_id = environments.id and created_at <= ${historySince}
        order by created_at desc, revision desc limit 1), 0) as first, last.created_at as changed_at
    from environments left join lateral (
      select revision, created_at from environment_changes where environment_id = environments.id and ${until}
      order by ${'at' in asked ? sql`created_at desc,` : sql``} revision desc limit 1
    ) last on true
    where environments.id = ${environment_id}::uuid
  `.execute(db)
  return rows[0]
}

/** The state of a flag at a revision. */
export interface PastFlag {
  readonly flag_key: string
  /** The revision that gave it this state. */
  readonly revision: number
  readonly created_at: string
  readonly audit_id: number | null
  /** Null for a deleted or archived flag. */
  readonly flag: WireFlag | null
  /** True where a part of the flag is not stored any more. */
  readonly is_lost: boolean
}

type PastRow = Omit<PastFlag, 'is_lost'> & {
  readonly kind: string
  readonly origins: WireFlag['origins'] | null
}

/** Returns the states of flags at a revision. Flags that never existed are absent. */
export async function readPastFlags(
  db: Kysely<Database>,
  environment_id: string,
  { keys, revision }: { readonly keys: readonly string[]; readonly revision: number },
): Promise<readonly PastFlag[]> {
  const flag = wholeText({
    json: 'flag',
    chunks: 'flag_chunks',
    month: 'chunk_month',
    environment_id: 'environment_id',
  })
  const { rows } = await sql<PastRow>`
    select flag_key, revision, kind, created_at, audit_id, origins, ${flag}::json as flag
    from unnest(${keys}::text[]) as wanted(key) cross join lateral (
      select * from environment_changes where environment_id = ${environment_id}::uuid
        and flag_key = wanted.key and revision <= ${revision}::bigint and kind <> 'none'
      order by revision desc limit 1
    ) last
  `.execute(db)
  return rows.map(({ flag, kind, origins, ...state }) => ({
    ...state,
    flag: flag && origins ? { ...flag, origins } : flag,
    is_lost: kind === 'upsert' && flag === null,
  }))
}

/** The changes that SDKs received because of an entry of the audit log. */
export interface EntryChanges {
  readonly first: number
  readonly last: number
  readonly flag_keys: readonly string[]
}

/** Returns the changes of an entry; undefined where SDKs noticed nothing, or nothing is kept. */
export async function findEntryChanges(
  db: Kysely<Database>,
  environment_id: string,
  audit_id: number,
): Promise<EntryChanges | undefined> {
  const { rows } = await sql<EntryChanges>`
    select min(revision) as first, max(revision) as last, array_agg(distinct flag_key) as flag_keys
    from environment_changes
    where audit_id = ${audit_id}::bigint and environment_id = ${environment_id}::uuid and kind <> 'none'
    having count(*) > 0
  `.execute(db)
  return rows[0]
}

/** Returns the flags that changed after a revision and up to another one. */
export async function listChangedKeys(
  db: Kysely<Database>,
  environment_id: string,
  { after, until }: { readonly after: number; readonly until: number },
): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('environment_changes')
    .select('flag_key')
    .distinct()
    .where('environment_id', '=', environment_id)
    .where('revision', '>', after)
    .where('revision', '<=', until)
    .where('kind', '<>', 'none')
    .execute()
  return rows.map(({ flag_key }) => flag_key)
}

/** A change of a flag, and who made it. */
export interface FlagMoment {
  readonly flag_key: string
  readonly revision: number
  readonly created_at: string
  readonly audit_id: number | null
  readonly actor_email: string | null
  readonly action: string | null
}

/** Returns the first change of each flag after a revision. */
export async function findNextChanges(
  db: Kysely<Database>,
  environment_id: string,
  { keys, revision }: { readonly keys: readonly string[]; readonly revision: number },
): Promise<readonly FlagMoment[]> {
  const { rows } = await sql<FlagMoment>`
    select next.*, actor_email, action from unnest(${keys}::text[]) as wanted(flag_key) cross join lateral (
      select flag_key, revision, created_at, audit_id from environment_changes change
      where environment_id = ${environment_id}::uuid and change.flag_key = wanted.flag_key
        and revision > ${revision}::bigint and kind <> 'none'
      order by revision limit 1
    ) next left join audit_log on id = next.audit_id
  `.execute(db)
  return rows
}

/** A change of a past window. */
export interface PastChange extends FlagMoment {
  readonly kind: 'upsert' | 'delete' | 'none'
  readonly flag: WireFlag | null
  /** True when the entry is about a segment. */
  readonly isOfSegment: boolean
}

/** The bytes of flags that are read at once. */
const READ_BYTES = 8 * 1024 * 1024

/** Reads changes after a revision and up to another one, in order: at most `limit`, fewer large ones. */
export async function readPastChanges(
  db: Kysely<Database>,
  environment_id: string,
  { after, limit, until }: { readonly after: number; readonly until: number; readonly limit: number },
): Promise<readonly PastChange[]> {
  const flag = wholeText({
    json: 'flag',
    chunks: 'flag_chunks',
    month: 'chunk_month',
    environment_id: 'environment_id',
  })
  const { rows } = await sql<PastChange>`
    with sized as (
      select *, sum(coalesce(flag_size, 0)) over (order by revision) as bytes_so_far,
        row_number() over (order by revision) as nth
      from (
        select * from environment_changes
        where environment_id = ${environment_id}::uuid and revision > ${after}::bigint
          and revision <= ${until}::bigint
        order by revision limit ${limit}
      ) as page
    )
    select flag_key, revision, kind, sized.created_at, audit_id, actor_email, action, ${flag}::json as flag,
      coalesce(starts_with(metadata ->> 'resource', 'segment:'), false) as "isOfSegment"
    from sized left join lateral (
      select actor_email, action, metadata from audit_log where id = sized.audit_id
    ) as entry on true
    where bytes_so_far <= ${READ_BYTES} or nth = 1
    order by revision
  `.execute(db)
  return rows
}

/** An audit entry's author and action. */
export interface EntryAuthor {
  readonly id: number
  readonly actor_email: string
  readonly action: string
}

/** Returns the authors of audit entries. */
export async function findEntryAuthors(
  db: Kysely<Database>,
  ids: readonly (number | null | undefined)[],
): Promise<ReadonlyMap<number, EntryAuthor>> {
  const wanted = [...new Set(ids.filter((id) => typeof id === 'number'))]
  if (wanted.length === 0) return new Map()
  const { rows } = await sql<EntryAuthor>`
    select id, actor_email, action from audit_log where id = any(${wanted}::bigint[])`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}
