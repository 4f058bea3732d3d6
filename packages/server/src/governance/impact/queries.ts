import { type Kysely, sql } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'

/** The seen users of an environment with the smallest hashes, in the order of these. */
export interface SeenSample {
  /** The removals of seen users of the environment that the sample has noticed. */
  readonly removals: number
  readonly count: number
  /** True where users with greater hashes were left out, because the sample has a bound. */
  readonly isCut: boolean
  /** The hash of the last user as a share of the greatest one. */
  readonly lastPlace: number
  /** The users as JSON: lists of key and attributes in turn. The attributes are null where none are known. */
  readonly pages: readonly string[]
}

export interface SampleOf {
  readonly environment_id: string
  /** The days that are read; undefined for all that are kept. */
  readonly days: number | undefined
  /** The users of the sample. */
  readonly limit: number
}

/** The users of a page, which is parsed at once, and the bytes of a sample. */
const PAGE_USERS = 100
const SAMPLE_MAX_BYTES = 32 * 1024 * 1024

/**
 * Reads the seen users of the last days with the smallest hashes. The samples of several days are one of all
 * their users. They are read as texts of many users: as rows, 100,000 of them would hold the event loop.
 */
export async function readSeenSample(
  db: Kysely<Database>,
  { days, environment_id, limit }: SampleOf,
): Promise<SeenSample> {
  const since = days === undefined ? sql`` : sql`and day > (now() at time zone 'UTC')::date - ${days}::int`
  const { rows } = await sql<Page>`
    with users as (
      select distinct on (user_hash) user_hash, to_json(user_key)::text as user_key, coalesce(
        case when (select seen_users from environments where id = ${environment_id}::uuid) = 'attributes' then attributes::text end,
        'null') as attributes
      from seen_users where environment_id = ${environment_id}::uuid ${since}
      order by user_hash, attributes is null, seen_at desc
    ), numbered as (
      select *, row_number() over in_order as nth,
        sum(octet_length(user_key) + octet_length(attributes)) over in_order <= ${SAMPLE_MAX_BYTES}::int as fits
      from users window in_order as (order by user_hash rows unbounded preceding)
      order by user_hash limit ${limit}::int
    ), pages as (
      select min(nth) as first, count(*)::int as found, count(*) filter (where fits)::int as users,
        max(('x' || encode(substr(user_hash, 1, 6), 'hex'))::bit(48)::bigint) filter (where fits) as last,
        string_agg(user_key || ',' || attributes, ',' order by nth) filter (where fits) as page
      from numbered group by (nth - 1) / ${PAGE_USERS}::int
    )
    select ${removalsOf(environment_id)} as removals, coalesce(found, 0) as found, coalesce(users, 0) as users,
      last / ${2 ** 48}::float8 as place, page
    from (select) one left join pages on true order by first
  `.execute(db)
  const pages = rows.filter(({ users }) => users > 0)
  return {
    removals: rows[0]?.removals ?? 0,
    count: pages.reduce((sum, { users }) => sum + users, 0),
    isCut: rows.some(({ found, users }) => found > users),
    lastPlace: pages.at(-1)?.place ?? 0,
    pages: pages.map(({ page }) => `[${page}]`),
  }
}

interface Page {
  readonly removals: number
  /** The users of the page, and those of them who fit into the bytes of the sample. */
  readonly found: number
  readonly users: number
  readonly place: number
  readonly page: string
}

/** Returns how often seen users of an environment, or what is kept of them, were removed. */
export async function countRemovals(db: Kysely<Database>, environment_id: string): Promise<number> {
  const { rows } = await sql<{ removals: number }>`
    select ${removalsOf(environment_id)} as removals`.execute(db)
  return rows[0]?.removals ?? 0
}

const removalsOf = (environment_id: string) => sql`
  coalesce((select removals from seen_user_removals where environment_id = ${environment_id}::uuid), 0)::int8`

/** Returns the project of an environment, and what it is called. */
export async function findEnvironment(db: Kysely<Database>, id: string) {
  return db
    .selectFrom('environments')
    .select(['project_id', 'name', 'slug'])
    .where('id', '=', sql<string>`${id}::uuid`)
    .executeTakeFirst()
}
