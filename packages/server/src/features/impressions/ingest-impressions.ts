import type { Kysely } from 'kysely'
import { notFound } from '../../kernel/refusal.ts'
import { dayOf, dayText } from '../../kernel/report-time.ts'
import type { Clock } from '../../platform/clock.ts'
import { reportHash } from '../../platform/crypto/report-hash.ts'
import { drawReportIds } from '../../platform/db/draw-report-ids.ts'
import type { ReportPartitions } from '../../platform/db/report-partitions.ts'
import type { Database } from '../../platform/db/tables.ts'
import type { GroupedWrites } from '../../platform/grouped-writes.ts'
import { countImpressions } from './count-impressions.ts'
import type { ImpressionBatch } from './impression-batch.ts'
import { insertImpressions } from './queries.ts'

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
export function createImpressionIngest({ clock, countRows, db, groups, partitions }: IngestDeps) {
  return groups.kind<ImpressionBatch>('impressions', async (environment_id, batches) => {
    const impressions = batches.flatMap((batch) => batch.impressions)
    const counts = countImpressions(impressions, reportHash)
    const today = dayText(dayOf(clock.now().getTime()))
    await partitions.storing(today, () =>
      db.transaction().execute(async (tx) => {
        const count = impressions.length
        const drawn = await drawReportIds(tx, { environment_id, kind: 'impression', count, today })
        if (!drawn) throw notFound('environment')
        await insertImpressions(tx, { environment_id, drawn }, impressions, counts)
      }),
    )
    countRows(impressions.length)
  })
}
