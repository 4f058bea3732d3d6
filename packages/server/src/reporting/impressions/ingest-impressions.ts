import { REPORTED_USER_ID_MAX_LENGTH } from '@burgee/contract'
import { inTurns } from '../../platform/concurrency/turns.ts'
import { reportHash } from '../../platform/crypto/report-hash.ts'
import { createReportIngest, type IngestDeps } from '../ingest/report-ingest.ts'
import { countImpressions, type ImpressionCounts } from './count-impressions.ts'
import { removeDeletedRollups } from './deletion-queries.ts'
import type { CleanImpression, ImpressionBatch } from './impression-batch.ts'
import { insertImpressions } from './ingest-queries.ts'
import type { ChosenName } from './names/choose-names.ts'
import { createNameAdmission } from './names/name-admission.ts'

interface SeenImpressions {
  readonly day: string
  readonly impressions: readonly CleanImpression[]
  readonly counts: ImpressionCounts
}

/** A user with the context of an evaluation. */
interface SeenUser {
  readonly user_hash: Buffer
  readonly user_key: string
  readonly context: string | null
  readonly seen_at: number
}

export interface ImpressionIngestDeps extends IngestDeps {
  /** Receives the users of stored impressions, in the turn after the commit. */
  readonly onSeen: (environment_id: string, day: string, users: Iterable<SeenUser>) => void
}

/**
 * Creates the function that stores batches, each together with others of its environment
 * (`createReportIngest`).
 */
export function createImpressionIngest(deps: ImpressionIngestDeps) {
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
      let seen: SeenImpressions | null = null
      return {
        async store(tx, at) {
          const admitted = counted === null ? await names.admit(tx, at, batches, unknown) : null
          chosen = admitted?.chosen ?? []
          const impressions = admitted?.impressions ?? reported
          const counts = counted ?? (await inTurns(countImpressions(impressions, hashes)))
          if (at.drawn.is_deleting) await removeDeletedRollups(tx, at.environment_id, counts)
          await insertImpressions(tx, at, impressions, counts)
          seen = { day: at.drawn.received_on, impressions, counts }
        },
        onCommitted() {
          names.remember(environment_id, chosen)
          if (seen) deps.onSeen(environment_id, seen.day, listSightings(seen))
        },
      }
    },
  })
}

/** A key of the greatest length may have been cut, and would then name no user. */
function* listSightings({ counts, impressions }: SeenImpressions): Generator<SeenUser> {
  for (const { first_at, index, user_hash } of counts.users) {
    const { context = null, user_id = null } = impressions[index] ?? {}
    if (user_id !== null && user_id.length < REPORTED_USER_ID_MAX_LENGTH)
      yield { user_hash, user_key: user_id, context, seen_at: first_at }
  }
}
