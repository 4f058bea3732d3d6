import type { CommittedAt } from '../../changes/index.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Metrics } from '../../platform/metrics/metrics.ts'

/** The buckets. The target is 50 ms (docs/reference/api.md#limits); a lost hint costs a second. */
const BUCKETS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 5]
const MS_PER_SECOND = 1000

/** Returns the function that the hub calls when changes were written to the last of their sockets. */
export function measurePropagation(
  metrics: Metrics,
  clock: Clock,
): (committed: readonly CommittedAt[]) => void {
  const record = metrics.histogram({
    name: 'propagation_seconds',
    help: 'Time from the commit of a change until it was written to the last of its sockets.',
    labels: ['source'],
    buckets: BUCKETS_S,
  })
  return (committed) => {
    const nowMs = clock.monotonicMs()
    for (const { source, atMs } of committed) record({ source }, Math.max(0, nowMs - atMs) / MS_PER_SECOND)
  }
}
