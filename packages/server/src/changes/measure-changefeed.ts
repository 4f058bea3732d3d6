import type { Clock } from '../platform/clock.ts'
import type { Metrics } from '../platform/metrics/metrics.ts'
import type { Changefeed } from './changefeed.ts'

const MS_PER_SECOND = 1000

/** Measures how far this instance is behind the change log. */
export function measureChangefeed(
  metrics: Metrics,
  clock: Clock,
  changefeed: Pick<Changefeed, 'confirmedAtMs' | 'revisionsBehind'>,
): void {
  metrics.collected(
    {
      name: 'change_log_confirmed_age_seconds',
      help: 'Time since the database last confirmed that no change was missed.',
      type: 'gauge',
      labels: [],
    },
    () => [{ labels: {}, value: (clock.monotonicMs() - changefeed.confirmedAtMs()) / MS_PER_SECOND }],
  )
  metrics.collected(
    {
      name: 'change_log_revisions_behind',
      help: 'Known revisions that are not read yet, over all environments in memory.',
      type: 'gauge',
      labels: [],
    },
    () => [{ labels: {}, value: changefeed.revisionsBehind() }],
  )
}
