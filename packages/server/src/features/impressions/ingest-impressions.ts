import { reportHash } from '../../platform/crypto/report-hash.ts'
import { createReportIngest, type IngestDeps } from '../../platform/report-ingest.ts'
import { countImpressions } from './count-impressions.ts'
import type { ImpressionBatch } from './impression-batch.ts'
import { insertImpressions } from './queries.ts'

/** Stores batches, each together with others of its environment (`createReportIngest`). */
export const createImpressionIngest = (deps: IngestDeps) =>
  createReportIngest(deps, {
    group: 'impressions',
    kind: 'impression',
    rowsOf: ({ impressions }: ImpressionBatch) => impressions,
    prepare: (impressions) => {
      const counts = countImpressions(impressions, reportHash)
      return (tx, at) => insertImpressions(tx, at, impressions, counts)
    },
  })
