import type { QueueMeasure } from '../platform/composition.ts'
import { withTimeout } from '../platform/concurrency/with-timeout.ts'
import type { Metrics } from '../platform/metrics/metrics.ts'

/** The timeout of a scrape. The depth is then left out. */
const DEADLINE_MS = 1_000
/** The largest depth that is counted, because counting must stay cheap when the queue is long. */
const DEPTH_MAX = 100_000

/** Measures the work that waits in the database, which is the same on every instance. */
export function measureQueues(metrics: Metrics, queues: readonly QueueMeasure[]): void {
  metrics.collected(
    {
      name: 'job_queue_depth',
      help: `Work that waits in the database, by queue; at most ${DEPTH_MAX}.`,
      type: 'gauge',
      labels: ['queue'],
    },
    async () => {
      const counts = Promise.all(queues.map(({ count }) => count(DEPTH_MAX)))
      const depths = await withTimeout(counts, DEADLINE_MS, failForTimeout)
      return queues.map(({ queue }, at) => ({ labels: { queue }, value: depths[at] ?? 0 }))
    },
  )
}

function failForTimeout(): never {
  throw new Error(`no response within ${DEADLINE_MS} ms`)
}
