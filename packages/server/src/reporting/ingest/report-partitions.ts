import type { Kysely } from 'kysely'
import { dayAfter } from '../../kernel/utc-day.ts'
import type { Database } from '../../platform/db/tables.ts'
import { errorCode } from '../../platform/log/error-code.ts'
import { dropPartitionsBefore, type FirstDays, findLastDay, makePartitions } from './partition-queries.ts'

/** The partitions of one instance's tables. Days are `2026-01-31`. */
export interface ReportPartitions {
  /** Makes what the days lack. */
  ensure(days: readonly string[]): Promise<void>
  /**
   * Runs a transaction that stores reports of the day or of the next, where their partitions are. Those that
   * were there are not looked for again: when one has vanished, they are made and `write` is run once more.
   */
  storing<T>(day: string, write: () => Promise<T>): Promise<T>
  /** The day of the latest report, or today by the database's clock where that is earlier. */
  findLastDay(): Promise<string>
  /** Drops what arrived before the days, a table at a time. `false`: another instance is at it. */
  dropBefore(days: FirstDays): Promise<boolean>
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
    dropBefore: (days) => dropPartitionsBefore(db, days),
  }
}

/**
 * A row that no partition takes; the same code with a constraint is a check of a table's own. The text
 * depends on the database's language.
 */
const CHECK_VIOLATION = '23514'
const isWithoutPartition = (error: unknown): boolean =>
  errorCode(error) === CHECK_VIOLATION &&
  !(error instanceof Object && 'constraint' in error && error.constraint)
