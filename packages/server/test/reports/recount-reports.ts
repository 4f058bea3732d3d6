import type pg from 'pg'
import type { TestDatabase } from '../harness/database.ts'
import { userHashKeys } from './user-hash-keys.ts'

const HASH = (column: string) => `encode(substr(sha256(convert_to(${column}, 'UTF8')), 1, 16), 'hex')`
/** The HMAC of the plain hash (RFC 2104), as the server computes it. */
const USER_HASH = `encode(substr(sha256($3 || sha256($2 || substr(sha256(convert_to(user_id, 'UTF8')), 1, 16))), 1, 16), 'hex')`
const DAY = "(evaluated_at at time zone 'UTC')::date"

/**
 * Recounts the rollups of an environment from its raw rows, each table's rows in the order of their columns.
 */
export async function recountReports(database: TestDatabase, environment_id: string) {
  const { inner, outer } = await userHashKeys(database)
  return recount(database.pool, [environment_id, inner, outer])
}

/** Recounts without hashes of users, for callers without the secret of the server. */
export const recountWithoutHashes = async (pool: pg.Pool, environment_id: string) =>
  withoutHashes(await recount(pool, [environment_id, Buffer.alloc(0), Buffer.alloc(0)]))

const recount = (pool: pg.Pool, parameters: readonly unknown[]) =>
  readAll(pool, parameters, {
    values: `select flag_key, value, ${HASH('value')} as hash, count(*) as impressions, count(distinct user_id) as unique_users,
        max(evaluated_at) as last_seen, max(id) as last_id from impressions where environment_id = $1 group by flag_key, value`,
    flags: `select flag_key, count(distinct user_id) as unique_users from impressions where environment_id = $1 group by flag_key`,
    days: `select flag_key, ${HASH('value')} as hash, ${DAY} as day, received_on, count(*) as impressions
      from impressions where environment_id = $1 group by flag_key, value, ${DAY}, received_on`,
    users: `select distinct on (flag_key, user_id, value) flag_key, ${USER_HASH} as user_hash, ${HASH('value')} as hash,
        evaluated_at as first_at, id as first_id
      from impressions where environment_id = $1 and user_id is not null order by flag_key, user_id, value, evaluated_at, id`,
    goals: `select event_key, count(*) as total, count(distinct user_id) as unique_users, max(occurred_at) as last_seen
      from goal_events where environment_id = $1 group by event_key`,
    goal_users: `select event_key, ${USER_HASH} as user_hash, min(occurred_at) as first_at, max(occurred_at) as last_at
      from goal_events where environment_id = $1 and user_id is not null group by event_key, user_id`,
  })

/** Returns the rollups that ingest has kept. */
export const storedRollups = ({ pool }: { readonly pool: pg.Pool }, environment_id: string) =>
  readAll(pool, [environment_id], {
    values: `select flag_key, value, encode(value_hash, 'hex') as hash, impressions, unique_users, last_seen, last_id
      from impression_values where environment_id = $1`,
    flags: 'select flag_key, unique_users from impression_flags where environment_id = $1',
    days: `select flag_key, encode(value_hash, 'hex') as hash, day, received_on, impressions
      from impression_days where environment_id = $1`,
    users: `select flag_key, encode(user_hash, 'hex') as user_hash, encode(value_hash, 'hex') as hash, first_at, first_id
      from impression_users where environment_id = $1`,
    goals: 'select event_key, total, unique_users, last_seen from goals where environment_id = $1',
    goal_users: `select event_key, encode(user_hash, 'hex') as user_hash, first_at, last_at
      from goal_users where environment_id = $1`,
  })

export const storedWithoutHashes = async (pool: pg.Pool, environment_id: string) =>
  withoutHashes(await storedRollups({ pool }, environment_id))

function withoutHashes(found: Readonly<Record<string, readonly string[]>>) {
  const bare = (row: string) => row.replace(/"user_hash":"[0-9a-f]*",?/, '')
  return Object.fromEntries(Object.entries(found).map(([name, rows]) => [name, rows.map(bare).sort()]))
}

async function readAll(
  pool: pg.Pool,
  parameters: readonly unknown[],
  queries: Readonly<Record<string, string>>,
) {
  const found: Record<string, string[]> = {}
  for (const [name, query] of Object.entries(queries)) {
    const used = parameters.filter((_, at) => query.includes(`$${at + 1}`))
    const { rows } = await pool.query(query, used)
    found[name] = rows.map((row) => JSON.stringify(row)).sort()
  }
  return found
}
