import type { Kysely } from 'kysely'
import type { Clock } from '../platform/clock.ts'
import type { OpenedDataKey } from '../platform/crypto/data-key.ts'
import type { Database } from '../platform/db/tables.ts'
import type { Log } from '../platform/log/log.ts'
import type { Metrics } from '../platform/metrics/metrics.ts'
import type { Config } from '../platform/settings/config.ts'
import type { createImpressionIngest } from '../reporting/impressions/index.ts'
import type { createIngest } from '../reporting/ingest/create-ingest.ts'
import { createUnknownFlagCounter, type StoreUnknownFlags } from '../reporting/unknown-flags/index.ts'
import {
  createImpressionRecorder,
  createOfrep,
  createTickets,
  NO_IMPRESSIONS,
  type Ofrep,
} from '../serving/ofrep/index.ts'
import type { LiveFlags } from '../serving/stream/index.ts'
import type { createAccess } from './create-access.ts'

const TICKET_PURPOSE = 'ofrep tickets'

interface OfrepPartsDeps {
  readonly db: Kysely<Database>
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
  readonly live: LiveFlags
  readonly access: Pick<Awaited<ReturnType<typeof createAccess>>, 'findKeyById'>
  readonly data_key: OpenedDataKey
  readonly ingest: ReturnType<typeof createIngest>
  readonly ingestImpressions: ReturnType<typeof createImpressionIngest>
  readonly storeUnknown: StoreUnknownFlags
}

/** Creates what evaluates for OFREP. */
export function createOfrepParts(
  { legacySdkKey, ofrepImpressions }: Pick<Config, 'legacySdkKey' | 'ofrepImpressions'>,
  {
    access,
    clock,
    data_key,
    db,
    ingest,
    ingestImpressions,
    live,
    log,
    metrics,
    storeUnknown,
  }: OfrepPartsDeps,
): Ofrep {
  const { budget } = ingest.impressions
  return createOfrep({
    db,
    sets: live.evaluationSets,
    tickets: createTickets({ clock, legacySdkKey, secret: data_key.derive(TICKET_PURPOSE) }),
    impressions: ofrepImpressions
      ? createImpressionRecorder({ clock, log, metrics, budget, ingest: ingestImpressions })
      : NO_IMPRESSIONS,
    unknownFlags: createUnknownFlagCounter({ log, storeUnknown }),
    findKeyById: access.findKeyById,
  })
}
