import { type Kysely, sql } from 'kysely'
import { dayAfter } from '../../kernel/utc-day.ts'
import { ADVISORY_LOCKS } from '../../platform/db/advisory-locks.ts'
import type { Database } from '../../platform/db/tables.ts'

/** The tables of raw reports, partitioned by the day of arrival. */
export const REPORT_TABLES = ['impressions', 'goal_events'] as const
/** All tables with a partition a day; seen users have a retention of their own. */
const DAY_TABLES = [...REPORT_TABLES, 'seen_users'] as const
type DayTable = (typeof DAY_TABLES)[number]

/** The first days that are kept. */
export interface FirstDays {
  readonly reports: string
  readonly seenUsers: string
}

/** The day of the latest report, or today by the database's clock where that is earlier. */
export async function findLastDay(db: Kysely<Database>): Promise<string> {
  const { rows } = await sql<{ day: string }>`
    select least((now() at time zone 'UTC')::date, nullif(max(received_on), '-infinity')) as day from report_counters
  `.execute(db)
  const [found] = rows
  if (!found) throw new Error('an aggregate gives one row')
  return found.day
}

const nameOf = (table: DayTable, day: string): string => `${table}_${day.replaceAll('-', '')}`

/**
 * Creates each partition by itself and attaches it then: `create table ... partition of` would block every
 * writer.
 */
export async function makePartitions(db: Kysely<Database>, day: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS.makeReportPartitions}::bigint)`.execute(tx)
    for (const table of DAY_TABLES) {
      const name = nameOf(table, day)
      const { rows } = await sql<{ is_there: boolean; is_attached: boolean }>`
        select to_regclass(${name}) is not null as is_there,
          exists (select from pg_inherits where inhrelid = to_regclass(${name})) as is_attached`.execute(tx)
      if (rows[0]?.is_attached) continue
      if (!rows[0]?.is_there)
        await sql`create table ${sql.table(name)} (like ${sql.table(table)} including defaults)`.execute(tx)
      await sql`
        alter table ${sql.table(table)} attach partition ${sql.table(name)}
        for values from (${sql.lit(day)}) to (${sql.lit(dayAfter(day))})
      `.execute(tx)
    }
  })
}

interface OldPartition {
  readonly name: string
  readonly parent: DayTable
  /**
   * `pending`: the instance that detached it has crashed. `detached`: an instance has crashed before dropping
   * it.
   */
  readonly state: 'attached' | 'pending' | 'detached'
}

/**
 * Detaches partitions concurrently before it drops them: dropping an attached one would wait for every
 * reader, and every writer would wait behind it. `false`: another instance is doing so.
 */
export async function dropPartitionsBefore(db: Kysely<Database>, days: FirstDays): Promise<boolean> {
  return db.connection().execute(async (connection) => {
    const locked = await sql<{ is_mine: boolean }>`
      select pg_try_advisory_lock(${ADVISORY_LOCKS.dropReportPartitions}::bigint) as is_mine`.execute(
      connection,
    )
    if (!locked.rows[0]?.is_mine) return false
    try {
      for (const old of await findPartitionsBefore(connection, days)) await dropPartition(connection, old)
      return true
    } finally {
      await sql`select pg_advisory_unlock(${ADVISORY_LOCKS.dropReportPartitions}::bigint)`.execute(connection)
    }
  })
}

async function findPartitionsBefore(db: Kysely<Database>, days: FirstDays): Promise<readonly OldPartition[]> {
  const found: OldPartition[] = []
  for (const parent of DAY_TABLES) {
    const { rows } = await sql<OldPartition>`
      select relname as name, ${parent}::text as parent,
        case when inhparent is null then 'detached' when inhdetachpending then 'pending' else 'attached' end as state
      from pg_class left join pg_inherits on inhrelid = pg_class.oid
      where relnamespace = (select relnamespace from pg_class where oid = ${parent}::regclass)
        and relkind = 'r' and relname ~ ${`^${parent}_[0-9]{8}$`}
        and relname collate "C" < ${nameOf(parent, parent === 'seen_users' ? days.seenUsers : days.reports)}
      order by relname
    `.execute(db)
    found.push(...rows)
  }
  return found
}

async function dropPartition(db: Kysely<Database>, { name, parent, state }: OldPartition): Promise<void> {
  if (state !== 'detached') {
    const how = state === 'pending' ? sql`finalize` : sql`concurrently`
    await sql`alter table ${sql.table(parent)} detach partition ${sql.table(name)} ${how}`.execute(db)
  }
  await sql`drop table ${sql.table(name)}`.execute(db)
}
