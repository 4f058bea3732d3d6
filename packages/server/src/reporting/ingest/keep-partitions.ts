import { dayOf, dayText } from '../../kernel/utc-day.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log/log.ts'
import type { ReportPartitions } from './report-partitions.ts'

const EVERY_MS = 10 * 60_000
/** The days ahead: rows find their partition at midnight, also while the database is busy. */
const DAYS_AHEAD = 2

export interface PartitionKeeping {
  close(): Promise<void>
}

interface KeepDeps {
  readonly clock: Clock
  readonly log: Log
  readonly partitions: ReportPartitions
}

/**
 * Creates the partitions of reports that will be needed, and drops those older than `retentionDays`, counted
 * from the latest report when none arrived recently, now and periodically. Every instance does. Resolves when
 * the first partitions exist, and rejects when they cannot be created; dropping is not awaited.
 */
export async function startPartitionKeeping(
  { clock, log, partitions }: KeepDeps,
  { retentionDays, seenUsersDays }: { readonly retentionDays: number; readonly seenUsersDays: number },
): Promise<PartitionKeeping> {
  const today = () => dayOf(clock.now().getTime())
  const make = () =>
    partitions.ensure(Array.from({ length: DAYS_AHEAD }, (_, ahead) => dayText(today() + ahead)))
  // By the clock that is furthest behind: a wrong one must not delete what has to be kept.
  const drop = async () => {
    const last = Math.min(today(), dayOf(Date.parse(await partitions.findLastDay())))
    await partitions.dropBefore({
      reports: dayText(last - retentionDays),
      seenUsers: dayText(last - seenUsersDays),
    })
  }

  let running: Promise<void> | null = null
  function run(work: () => Promise<unknown>): void {
    running ??= work()
      .then(() => undefined)
      .catch((err: unknown) =>
        log.warn({ err }, 'partitions of reports could not be created or dropped; retrying'),
      )
      .finally(() => {
        running = null
      })
  }

  await make()
  run(drop)
  const timer = setInterval(() => run(async () => make().then(drop)), EVERY_MS)
  return {
    async close() {
      clearInterval(timer)
      await running
    },
  }
}
