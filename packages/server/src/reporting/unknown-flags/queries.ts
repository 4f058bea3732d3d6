import { UNKNOWN_FLAG_DAYS, UNKNOWN_FLAG_ENVIRONMENTS_MAX, UNKNOWN_FLAGS_MAX } from '@burgee/contract'
import { type Kysely, sql } from 'kysely'
import { ADVISORY_LOCKS } from '../../platform/db/advisory-locks.ts'
import type { Database } from '../../platform/db/tables.ts'
import { ALL_SDK_CLIENTS } from '../ingest/sdk-client-queries.ts'
import type { UnknownFlagCount } from './unknown-flag-batch.ts'

/** The part of an environment's list that keys for browsers, which are public, can fill with new keys. */
const CLIENT_SHARE = 0.5
/** The newest audit entries of a flag among which its deletion is looked for. */
const AUDIT_ENTRIES_READ = 20
/** The other environments of a project in which an unknown flag is looked for. */
const ENVIRONMENTS_READ = 100

/**
 * Adds the evaluations of unknown flags of an environment. Keys of flags that exist are left out, and new
 * keys for which the environment has no room. Only other reports of unknown flags of this environment wait
 * for it.
 */
export async function storeUnknownFlags(
  db: Kysely<Database>,
  environment_id: string,
  counts: ReadonlyMap<string, UnknownFlagCount>,
): Promise<void> {
  const keys = [...counts.keys()]
  const values = [...counts.values()]
  await db.transaction().execute(async (tx) => {
    // Makes the bound hold over all instances. A collision of two environments only makes one wait.
    await sql`
      select pg_advisory_xact_lock(${ADVISORY_LOCKS.storeUnknownFlags}::int, hashtext(${environment_id}))`.execute(
      tx,
    )
    await sql`
      delete from unknown_flags
      where environment_id = ${environment_id}::uuid and last_seen < now() - ${expiry}`.execute(tx)
    await sql`
      with reported as (
        select reported.*, exists (
          select from unknown_flags known
          where known.environment_id = ${environment_id}::uuid and known.flag_key = reported.flag_key) as is_known
        from unnest(${keys}::text[], ${values.map(({ count }) => count)}::bigint[],
          ${values.map(({ isFromClient }) => isFromClient)}::boolean[], ${values.map(({ client_id }) => client_id)}::uuid[])
          as reported (flag_key, count, is_from_client, client_id)
        where not exists (
          select from flags where environment_id = ${environment_id}::uuid and key = reported.flag_key and archived_at is null)
      ), ranked as (
        select *, row_number() over (partition by is_known order by is_from_client, count desc, flag_key)
          + (select count(*) from unknown_flags where environment_id = ${environment_id}::uuid) as place
        from reported
      )
      insert into unknown_flags (environment_id, flag_key, count, first_seen, last_seen, app, sdk)
      select environments.id, flag_key, count, now(), now(), nullif(reporter.app, ''), nullif(reporter.sdk, '')
      from environments cross join ranked left join lateral (
        select app, sdk from ${ALL_SDK_CLIENTS} client
        where client.environment_id = ${environment_id}::uuid and client.client_id = ranked.client_id
        order by connected_at desc limit 1
      ) reporter on true
      where environments.id = ${environment_id}::uuid
        and (is_known or place <= ${UNKNOWN_FLAGS_MAX}::int * case when is_from_client then ${CLIENT_SHARE}::float8 else 1 end)
      on conflict (environment_id, flag_key) do update
      set count = least(unknown_flags.count + excluded.count, ${Number.MAX_SAFE_INTEGER}::bigint),
        last_seen = excluded.last_seen, app = coalesce(excluded.app, unknown_flags.app),
        sdk = coalesce(excluded.sdk, unknown_flags.sdk)`.execute(tx)
  })
}

const expiry = sql`${UNKNOWN_FLAG_DAYS}::int * interval '1 day'`

/** An unknown flag, with what the database states about its key. */
export interface ListedUnknownFlag {
  readonly flag_key: string
  readonly count: number
  readonly first_seen: string
  readonly last_seen: string
  readonly app: string | null
  readonly sdk: string | null
  readonly archived_at: string | null
  readonly archived_by: string | null
  readonly deleted_at: string | null
  readonly deleted_by: string | null
  /** Environments of the project that have the flag. */
  readonly elsewhere: readonly { readonly id: string; readonly name: string }[] | null
}

/** Reads the unknown flags of an environment that do not exist by now, the most frequent first. */
export async function listUnknownFlags(
  db: Kysely<Database>,
  { environment_id, project_id }: { readonly environment_id: string; readonly project_id: string },
): Promise<readonly ListedUnknownFlag[]> {
  const { rows } = await sql<ListedUnknownFlag>`
    select unknown.flag_key, unknown.count, unknown.first_seen, unknown.last_seen, unknown.app, unknown.sdk, own.archived_at,
      coalesce(archival.actor_email, own.updated_by) as archived_by,
      deletion.created_at as deleted_at, deletion.actor_email as deleted_by, elsewhere.environments as elsewhere
    from unknown_flags unknown
    left join flags own on own.environment_id = unknown.environment_id and own.key = unknown.flag_key
    left join lateral (
      select actor_email from (${recentEntries}) recent where recent.created_at = own.archived_at limit 1
    ) archival on own.archived_at is not null
    left join lateral (
      select actor_email, created_at from (${recentEntries}) recent
      where recent.action in ('delete', 'change_request.approve') and has_before and not has_after
      order by id desc limit 1
    ) deletion on own.key is null
    left join lateral (
      select json_agg(json_build_object('id', found.id, 'name', found.name) order by found.position) as environments
      from (
        select other.id, other.name, other.position
        from (
          select id, name, position from environments
          where project_id = ${project_id}::uuid and id <> ${environment_id}::uuid
          order by position limit ${ENVIRONMENTS_READ}::int
        ) other
        join flags on flags.environment_id = other.id and flags.key = unknown.flag_key and flags.archived_at is null
        order by other.position limit ${UNKNOWN_FLAG_ENVIRONMENTS_MAX}::int
      ) found
    ) elsewhere on own.key is null
    where unknown.environment_id = ${environment_id}::uuid and unknown.last_seen >= now() - ${expiry}
      and (own.key is null or own.archived_at is not null)
    order by unknown.count desc, unknown.flag_key
    limit ${UNKNOWN_FLAGS_MAX}::int`.execute(db)
  return rows
}

const recentEntries = sql`
  select id, actor_email, created_at, action,
    before_data is not null or before_chunks is not null as has_before,
    after_data is not null or after_chunks is not null as has_after
  from audit_log
  where environment_id = unknown.environment_id and flag_key = unknown.flag_key and flag_key <> ''
  order by id desc limit ${AUDIT_ENTRIES_READ}::int`

/** Reads the keys of at most `limit` flags of an environment that are not archived. */
export async function listFlagKeys(
  db: Kysely<Database>,
  environment_id: string,
  limit: number,
): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('flags')
    .select('key')
    .where('environment_id', '=', environment_id)
    .where('archived_at', 'is', null)
    .orderBy('key')
    .limit(limit)
    .execute()
  return rows.map(({ key }) => key)
}

/** Returns whether the environment lists the unknown flag. */
export async function unknownFlagExists(
  db: Kysely<Database>,
  environment_id: string,
  flag_key: string,
): Promise<boolean> {
  const { rows } = await sql`
    select from unknown_flags unknown
    where environment_id = ${environment_id}::uuid and flag_key = ${flag_key} and ${isListed}`.execute(db)
  return rows.length > 0
}

/** The reports of an unknown flag, counted. */
interface UnknownFlagReport {
  readonly flag_key: string
  readonly count: number
  readonly first_seen: string
  readonly last_seen: string
  readonly app: string | null
  readonly sdk: string | null
}

/** Removes an unknown flag. Returns what was reported of it, or undefined when it was not listed. */
export async function deleteUnknownFlag(
  db: Kysely<Database>,
  environment_id: string,
  flag_key: string,
): Promise<UnknownFlagReport | undefined> {
  const { rows } = await sql<UnknownFlagReport>`
    delete from unknown_flags unknown
    where environment_id = ${environment_id}::uuid and flag_key = ${flag_key} and ${isListed}
    returning flag_key, count, first_seen, last_seen, app, sdk`.execute(db)
  return rows[0]
}

const isListed = sql`unknown.last_seen >= now() - ${expiry} and not exists (
  select from flags where flags.environment_id = unknown.environment_id and flags.key = unknown.flag_key
    and flags.archived_at is null)`

/** Removes at most `limit` unknown flags that expired. Returns their number. */
export async function pruneUnknownFlags(db: Kysely<Database>, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from unknown_flags where ctid = any(array(
      select ctid from unknown_flags where last_seen < now() - ${expiry} limit ${limit}::int for update skip locked))
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}
