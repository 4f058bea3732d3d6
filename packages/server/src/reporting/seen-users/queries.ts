import { type Kysely, sql } from 'kysely'
import { byteaArray, textArray, timestamptzArray } from '../../platform/db/binary-array.ts'
import type { Database } from '../../platform/db/tables.ts'
import type { Sighting } from './seen-user.ts'

/** The attributes that are kept of one user. */
const ATTRIBUTES_MAX = 200

/** Returns what an environment keeps of its users; null when it does not exist. */
export async function findSeenUsersMode(db: Kysely<Database>, environment_id: string) {
  const row = await db
    .selectFrom('environments')
    .select('seen_users')
    .where('id', '=', environment_id)
    .executeTakeFirst()
  return row ?? null
}

/**
 * Lists the attributes that rules, segments or pending change requests of an environment name, without the
 * private ones.
 */
export async function listNamedAttributes(
  db: Kysely<Database>,
  environment_id: string,
): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`
    with named as (
      select ${attributesOf(sql`rules`)} as name from flags
      where environment_id = ${environment_id}::uuid and archived_at is null
      union select jsonb_path_query(extensions::jsonb, '$.bucket_by') #>> '{}' from flags
      where environment_id = ${environment_id}::uuid and archived_at is null
      union select ${attributesOf(sql`rules`)} from segments where environment_id = ${environment_id}::uuid
      union select ${attributesOf(sql`body`)} from change_requests
      where environment_id = ${environment_id}::uuid and status = 'pending'
    )
    select name from named where name is not null and name <> '$user_key' and name not in (
      select json_array_elements_text(private_attributes) from environments where id = ${environment_id}::uuid)
    order by name collate "C" limit ${ATTRIBUTES_MAX}::int`.execute(db)
  return rows.map(({ name }) => name)
}

/** Tests are in rules and in their conditions, and a rule may divide users by an attribute. */
const attributesOf = (column: ReturnType<typeof sql>) => sql`jsonb_path_query(${column}::jsonb,
  'strict $.** ? (exists(@.attribute) || exists(@.bucket_by)).keyvalue() ? (@.key == "attribute" || @.key == "bucket_by").value'
) #>> '{}'`

interface SeenUsersToStore {
  readonly rows: readonly (Omit<Sighting, 'context'> & { readonly attributes: string | null })[]
  readonly usersMax: number
}

/**
 * Stores users of a day, and removes those beyond the `usersMax` smallest hashes. Returns the greatest hash
 * that is kept; null below the limit. It stores nothing where the environment keeps no users by now.
 */
export async function storeSeenUsers(
  db: Kysely<Database>,
  { day, environment_id }: { readonly environment_id: string; readonly day: string },
  { rows, usersMax }: SeenUsersToStore,
): Promise<Buffer | null> {
  await sql`
    insert into seen_users as known (environment_id, day, user_hash, user_key, attributes, seen_at)
    select environments.id, ${day}::date, user_hash, user_key,
      case when environments.seen_users = 'attributes' then attributes::json end, seen_at
    from environments, unnest(
      ${byteaArray(rows.map(({ user_hash }) => user_hash))}::bytea[],
      ${textArray(rows.map(({ user_key }) => user_key))}::text[],
      ${textArray(rows.map(({ attributes }) => attributes))}::text[],
      ${timestamptzArray(rows.map(({ seen_at }) => seen_at))}::timestamptz[]
    ) as seen (user_hash, user_key, attributes, seen_at)
    where environments.id = ${environment_id}::uuid and environments.seen_users <> 'off'
    order by user_hash
    on conflict (environment_id, day, user_hash) do update
    set attributes = coalesce(excluded.attributes, known.attributes), seen_at = greatest(known.seen_at, excluded.seen_at)
  `.execute(db)
  const { rows: found } = await sql<{ user_hash: Buffer }>`
    select user_hash from seen_users where environment_id = ${environment_id}::uuid and day = ${day}::date
    order by user_hash offset ${usersMax - 1}::int limit 1`.execute(db)
  const bound = found[0]?.user_hash ?? null
  if (bound) {
    await sql`
      delete from seen_users
      where environment_id = ${environment_id}::uuid and day = ${day}::date and user_hash > ${bound}::bytea`.execute(
      db,
    )
  }
  return bound
}

/** Removes a user of an environment from every day. */
export async function deleteSeenUser(
  db: Kysely<Database>,
  environment_id: string,
  user_hash: Buffer,
): Promise<void> {
  await db
    .deleteFrom('seen_users')
    .where('environment_id', '=', environment_id)
    .where('user_hash', '=', user_hash)
    .execute()
  await countRemoval(db, environment_id)
}

/** Lets every instance read again what it keeps of the seen users of an environment (`SeenSamples`). */
async function countRemoval(db: Kysely<Database>, environment_id: string): Promise<void> {
  await sql`
    insert into seen_user_removals as known (environment_id, removals) values (${environment_id}::uuid, 1)
    on conflict (environment_id) do update set removals = known.removals + 1`.execute(db)
}

/** An environment with what it keeps of its users. */
export interface SeenUsersChoice {
  readonly id: string
  readonly seen_users: 'off' | 'keys' | 'attributes'
  readonly private_attributes: readonly string[]
}

/** Removes what an environment does not keep of its users any more: users, attributes, or private ones. */
export async function reduceSeenUsers(
  db: Kysely<Database>,
  { after, before }: { readonly before: SeenUsersChoice; readonly after: SeenUsersChoice },
): Promise<void> {
  const of = sql`environment_id = ${after.id}::uuid`
  const added = after.private_attributes.filter((name) => !before.private_attributes.includes(name))
  if (after.seen_users === 'off' && before.seen_users !== 'off')
    await sql`delete from seen_users where ${of}`.execute(db)
  else if (after.seen_users !== 'attributes' && before.seen_users === 'attributes')
    await sql`update seen_users set attributes = null where ${of} and attributes is not null`.execute(db)
  else if (after.seen_users === 'attributes' && added.length > 0)
    await sql`
      update seen_users set attributes = (attributes::jsonb - ${added}::text[])::json
      where ${of} and attributes::jsonb ?| ${added}::text[]`.execute(db)
  else return
  await countRemoval(db, after.id)
}
