import type { Kysely } from 'kysely'
import { notFound } from '../../kernel/refusal.ts'
import { dayOf, dayText } from '../../kernel/report-time.ts'
import type { Clock } from '../../platform/clock.ts'
import { reportHash } from '../../platform/crypto/report-hash.ts'
import { drawReportIds } from '../../platform/db/draw-report-ids.ts'
import type { ReportPartitions } from '../../platform/db/report-partitions.ts'
import type { Database } from '../../platform/db/tables.ts'
import type { GroupedWrites } from '../../platform/grouped-writes.ts'
import { countGoalEvents } from './count-goal-events.ts'
import type { GoalEventBatch } from './goal-event-batch.ts'
import { insertGoalEvents } from './queries.ts'

export interface IngestDeps {
  readonly db: Kysely<Database>
  readonly clock: Clock
  readonly partitions: Pick<ReportPartitions, 'storing'>
  readonly groups: GroupedWrites
  /** Told of rows once they are committed. */
  readonly countRows: (rows: number) => void
}

/**
 * Resolves when the batch is committed, in one transaction with others of its environment. Rejects with `not_found` when the
 * environment is gone, and with `unavailable` when too much waits.
 */
export function createGoalEventIngest({ clock, countRows, db, groups, partitions }: IngestDeps) {
  return groups.kind<GoalEventBatch>('goal-events', async (environment_id, batches) => {
    const events = batches.flatMap((batch) => batch.events)
    const counts = countGoalEvents(events, reportHash)
    const today = dayText(dayOf(clock.now().getTime()))
    await partitions.storing(today, () =>
      db.transaction().execute(async (tx) => {
        const count = events.length
        const drawn = await drawReportIds(tx, { environment_id, kind: 'goal_event', count, today })
        if (!drawn) throw notFound('environment')
        await insertGoalEvents(tx, { environment_id, drawn }, events, counts)
      }),
    )
    countRows(events.length)
  })
}
