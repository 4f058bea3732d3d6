import { type Kysely, sql } from 'kysely'
import { errorCode } from '../error-code.ts'
import { ADVISORY_LOCKS } from './advisory-locks.ts'
import type { Database } from './tables.ts'

/** The tables of raw reports, partitioned by the day on which their rows arrived. */
export const REPORT_TABLES = ['impressions', 'goal_events'] as const
type ReportTable = (typeof REPORT_TABLES)[number]

/** The partitions of one instance's tables. Days are `2026-01-31`. */
export interface ReportPartitions {
  /** Makes what the days lack. */
  ensure(days: readonly string[]): Promise<void>
  /**
   * Runs a transaction that stores reports of the day or of the next, where their partitions are. Those that were there are not looked for
   * again: when one has vanished, they are made and `write` is run once more.
   */
  storing<T>(day: string, write: () => Promise<T>): Promise<T>
  /** The day of the latest report, or today by the database's clock where that is earlier. */
  findLastDay(): Promise<string>
  /** Drops what arrived before the day, a table at a time. `false`: another instance is at it. */
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
        // Rows of the next day: an instance whose clock is ahead was there before.
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

/** A row that no partition takes; the same code with a constraint is a check of a table's own. The text depends on the database's language. */
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

/** Made by itself and then attached: that keeps nobody from writing, as `create table ... partition of` would. */
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
  /** `pending`: an instance that was detaching it died. `detached`: one died before dropping it. */
  readonly state: 'attached' | 'pending' | 'detached'
}

/** Detached first, concurrently: dropping an attached one would wait for every reader, and make every writer wait behind it. */
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
