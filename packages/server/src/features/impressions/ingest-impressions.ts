import { reportHash } from '../../platform/crypto/report-hash.ts'
import { inTurns } from '../../platform/turns.ts'
import { createReportIngest, type IngestDeps } from '../../reports/report-ingest.ts'
import { countImpressions } from './count-impressions.ts'
import { removeDeletedRollups } from './deletion-queries.ts'
import type { ImpressionBatch } from './impression-batch.ts'
import { insertImpressions } from './ingest-queries.ts'
import type { ChosenName } from './names/choose-names.ts'
import { createNameAdmission } from './names/name-admission.ts'

/**
 * Creates the function that stores batches, each together with others of its environment
 * (`createReportIngest`).
 */
export function createImpressionIngest(deps: IngestDeps) {
  const hashes = { hashUser: deps.hashUser, hashValue: reportHash }
  const names = createNameAdmission()
  return createReportIngest<ImpressionBatch>(deps, {
    group: 'impressions',
    kind: 'impression',
    async prepare(environment_id, batches) {
      const unknown = names.findUnknown(environment_id, batches)
      const reported = batches.flatMap(({ impressions }) => impressions)
      // Usually nothing has to be renamed, and counting need not wait for the lock.
      const counted = unknown.length === 0 ? await inTurns(countImpressions(reported, hashes)) : null
      let chosen: readonly ChosenName[] = []
      return {
        async store(tx, at) {
          const admitted = counted === null ? await names.admit(tx, at, batches, unknown) : null
          chosen = admitted?.chosen ?? []
          const impressions = admitted?.impressions ?? reported
          const counts = counted ?? (await inTurns(countImpressions(impressions, hashes)))
          if (at.drawn.is_deleting) await removeDeletedRollups(tx, at.environment_id, counts)
          await insertImpressions(tx, at, impressions, counts)
        },
        onCommitted: () => names.remember(environment_id, chosen),
      }
    },
  })
}
