import { type Kysely, sql } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'

/** A user who was seen. The attributes are null where none are known. */
export interface SampledUser {
  readonly user_key: string
  readonly attributes: Readonly<Record<string, unknown>> | null
  /** The hash as a share of the greatest one. */
  readonly place: number
}

/**
 * Returns the seen users of the last days with the smallest hashes, in the order of these. The samples of
 * several days are one of all their users.
 */
export async function listSeenUsers(
  db: Kysely<Database>,
  { days, environment_id, limit }: Sample,
): Promise<readonly SampledUser[]> {
  const since = days === undefined ? sql`` : sql`and day > (now() at time zone 'UTC')::date - ${days}::int`
  const { rows } = await sql<SampledUser>`
    select user_key, attributes, ('x' || encode(substr(user_hash, 1, 6), 'hex'))::bit(48)::bigint / ${2 ** 48}::float8 as place
    from (
      select distinct on (user_hash) user_hash, user_key,
        case when (select seen_users from environments where id = ${environment_id}::uuid) = 'attributes' then attributes end as attributes
      from seen_users where environment_id = ${environment_id}::uuid ${since}
      order by user_hash, attributes is null, seen_at desc
    ) users
    order by user_hash limit ${limit}::int
  `.execute(db)
  return rows
}

interface Sample {
  readonly environment_id: string
  readonly days: number | undefined
  readonly limit: number
}
