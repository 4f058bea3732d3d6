import { type Kysely, sql } from 'kysely'
import { ADVISORY_LOCKS } from '../platform/db/advisory-locks.ts'
import type { Database } from '../platform/db/tables.ts'
import { errorCode } from '../platform/error-code.ts'

/** The tables of raw reports, partitioned by the day of arrival. */
export const REPORT_TABLES = ['impressions', 'goal_events'] as const
type ReportTable = (typeof REPORT_TABLES)[number]

/** The partitions of the report tables. Days are `2026-01-31`. */
export interface ReportPartitions {
  /** Creates the missing partitions of the days. */
  ensure(days: readonly string[]): Promise<void>
  /**
   * Runs a transaction that stores reports of the day or the next, with their partitions. Known partitions
   * are not looked up again; when one has disappeared, they are created and `write` runs once more.
   */
  storing<T>(day: string, write: () => Promise<T>): Promise<T>
  /** Returns the day of the latest report, or today by the database's clock when that is earlier. */
  findLastDay(): Promise<string>
  /**
   * Drops the reports that arrived before the day, one table at a time. `false` when another instance is
   * doing it.
   */
  dropBefore(day: string): Promise<boolean>
}

export function createReportPartitions(db: Kysely<Database>): ReportPartitions {
  const known = new Set<string>()
  async function ensure(days: readonly string[]): Promise<void> {
    for (const day of days) {
      await makePartitions(db, day)
      known.add(day)
    }
  }
  return {
    ensure,
    async storing(day, write) {
      if (!known.has(day)) await ensure([day])
      try {
        return await write()
      } catch (error) {
        if (!isWithoutPartition(error)) throw error
        // Rows of the next day exist when an instance's clock is ahead.
        const days = [day, dayAfter(day)]
        for (const gone of days) known.delete(gone)
        await ensure(days)
        return write()
      }
    },
    findLastDay: () => findLastDay(db),
    dropBefore: (day) => dropPartitionsBefore(db, day),
  }
}

/**
 * The code of a row without a partition. With a constraint it is a check of the table itself. The message
 * depends on the database's language.
 */
const CHECK_VIOLATION = '23514'
const isWithoutPartition = (error: unknown): boolean =>
  errorCode(error) === CHECK_VIOLATION &&
  !(error instanceof Object && 'constraint' in error && error.constraint)

async function findLastDay(db: Kysely<Database>): Promise<string> {
  const { rows } = await sql<{ day: string }>`
    select least((now() at time zone 'UTC')::date, nullif(max(received_on), '-infinity')) as day from report_counters
  `.execute(db)
  const [found] = rows
  if (!found) throw new Error('an aggregate gives one row')
  return found.day
}

const nameOf = (table: ReportTable, day: string): string => `${table}_${day.replaceAll('-', '')}`

/**
 * Creates partitions separately and attaches them, which blocks no writes, unlike `create table ... partition
 * of`.
 */
async function makePartitions(db: Kysely<Database>, day: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS.makeReportPartitions}::bigint)`.execute(tx)
    for (const table of REPORT_TABLES) {
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

const MS_PER_DAY = 86_400_000
const dayAfter = (day: string): string =>
  new Date(Date.parse(day) + MS_PER_DAY).toISOString().slice(0, day.length)

interface OldPartition {
  readonly name: string
  readonly parent: ReportTable
  /**
   * `pending`: the instance that detached it has crashed. `detached`: an instance has crashed before dropping
   * it.
   */
  readonly state: 'attached' | 'pending' | 'detached'
}

/**
 * Drops partitions, detaching them concurrently first: dropping an attached one would wait for every reader,
 * and block every writer meanwhile.
 */
async function dropPartitionsBefore(db: Kysely<Database>, day: string): Promise<boolean> {
  return db.connection().execute(async (connection) => {
    const locked = await sql<{ is_mine: boolean }>`
      select pg_try_advisory_lock(${ADVISORY_LOCKS.dropReportPartitions}::bigint) as is_mine`.execute(
      connection,
    )
    if (!locked.rows[0]?.is_mine) return false
    try {
      for (const old of await findPartitionsBefore(connection, day)) await dropPartition(connection, old)
      return true
    } finally {
      await sql`select pg_advisory_unlock(${ADVISORY_LOCKS.dropReportPartitions}::bigint)`.execute(connection)
    }
  })
}

async function findPartitionsBefore(db: Kysely<Database>, day: string): Promise<readonly OldPartition[]> {
  const found: OldPartition[] = []
  for (const parent of REPORT_TABLES) {
    const { rows } = await sql<OldPartition>`
      select relname as name, ${parent}::text as parent,
        case when inhparent is null then 'detached' when inhdetachpending then 'pending' else 'attached' end as state
      from pg_class left join pg_inherits on inhrelid = pg_class.oid
      where relnamespace = (select relnamespace from pg_class where oid = ${parent}::regclass)
        and relkind = 'r' and relname ~ ${`^${parent}_[0-9]{8}$`}
        and relname collate "C" < ${nameOf(parent, day)}
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
