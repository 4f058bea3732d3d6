import type { Metrics } from '../../platform/metrics/metrics.ts'

/**
 * Creates the function that counts stored rows. Impressions and goal events are counted once they are
 * committed.
 */
export const countIngestRows = (metrics: Metrics) =>
  metrics.counter({
    name: 'ingest_rows_total',
    help: 'Impressions and goal events stored by this instance.',
    labels: ['kind'],
    from: [{ kind: 'impression' }, { kind: 'goal_event' }],
  })
