import type { Kysely } from 'kysely'
import { countDueChanges } from '../governance/scheduled-changes/index.ts'
import { countDeliveryJobs, countWaitingEvents } from '../notification/deliveries/index.ts'
import { withTimeout } from '../platform/concurrency/with-timeout.ts'
import type { Database } from '../platform/db/tables.ts'
import type { Metrics } from '../platform/metrics/metrics.ts'

/** The timeout of a scrape. The depth is then left out. */
const DEADLINE_MS = 1_000
/** The largest depth that is counted, because counting must stay cheap when the queue is long. */
const DEPTH_MAX = 100_000

/** Measures the work that waits in the database, which is the same on every instance. */
export function measureQueues(metrics: Metrics, db: Kysely<Database>): void {
  metrics.collected(
    {
      name: 'job_queue_depth',
      help: `Work that waits in the database, by queue; at most ${DEPTH_MAX}.`,
      type: 'gauge',
      labels: ['queue'],
    },
    async () => {
      const counts = Promise.all([
        countWaitingEvents(db, DEPTH_MAX),
        countDeliveryJobs(db, DEPTH_MAX),
        countDueChanges(db, DEPTH_MAX),
      ])
      const [domain_events, deliveries, scheduled_changes] = await withTimeout(
        counts,
        DEADLINE_MS,
        failForTimeout,
      )
      return [
        { labels: { queue: 'domain_events' }, value: domain_events },
        { labels: { queue: 'deliveries' }, value: deliveries },
        { labels: { queue: 'scheduled_changes' }, value: scheduled_changes },
      ]
    },
  )
}

function failForTimeout(): never {
  throw new Error(`no response within ${DEADLINE_MS} ms`)
}
