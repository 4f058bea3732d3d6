import type {
  goalEventEndpoints,
  impressionEndpoints,
  propagationEndpoints,
  reportEndpoints,
  seenUserEndpoints,
  unknownFlagEndpoints,
} from '@burgee/contract'
import type { Basics } from '../changes/index.ts'
import { type Domain, EMPTY, environmentOf, worker } from '../platform/composition.ts'
import type { Config } from '../platform/settings/config.ts'
import { goalEventHandlers } from './goal-events/index.ts'
import { createImpressionIngest, impressionHandlers } from './impressions/index.ts'
import { pruneBatchNames } from './ingest/batch-queries.ts'
import { createIngest } from './ingest/create-ingest.ts'
import { startPartitionKeeping } from './ingest/keep-partitions.ts'
import { openUserHash } from './ingest/open-user-hash.ts'
import { startReportRemoval } from './ingest/remove-deleted-reports.ts'
import { createReportPartitions } from './ingest/report-partitions.ts'
import {
  createClientStore,
  createSdkClients,
  measureClientLatency,
  measureClients,
  propagationHandlers,
  type SdkClients,
} from './propagation/index.ts'
import { continueDeletions, reportHandlers } from './report-deletions/index.ts'
import { createSeenUsers, seenUserHandlers } from './seen-users/index.ts'
import {
  type Acknowledge,
  createAcknowledge,
  createUnknownFlagStore,
  pruneUnknownFlags,
  type StoreUnknownFlags,
  unknownFlagExists,
  unknownFlagHandlers,
} from './unknown-flags/index.ts'

interface Parts {
  readonly sdkClients: SdkClients
  readonly acknowledge: Acknowledge
  readonly storeUnknown: StoreUnknownFlags
  readonly ingestImpressions: ReturnType<typeof createImpressionIngest>
  readonly impressionBudget: ReturnType<typeof createIngest>['impressions']['budget']
}

type Endpoints = typeof impressionEndpoints &
  typeof goalEventEndpoints &
  typeof unknownFlagEndpoints &
  typeof seenUserEndpoints &
  typeof propagationEndpoints &
  typeof reportEndpoints

/** Composes what stores and lists the reports of SDKs. */
export async function composeReporting(
  config: Config,
  basics: Basics,
): Promise<Domain<Parts, Endpoints, 'unknown_flag'>> {
  const { clock, db, lists, log } = basics
  const clients = createClients(basics)
  const stores = await createStores(config, basics)
  const { hashUser, ingest, ingestImpressions, partitions, seenUsers, storeUnknown } = stores
  const { sdkClients, store } = clients
  const { budget } = ingest.unknown_flags
  const acknowledge = createAcknowledge({ budget, storeUnknown, confirm: sdkClients.acknowledge })
  const { impressionRetentionDays: retentionDays, seenUsersDays } = config
  const removal = {
    db,
    log,
    continueDeletions: (isClosed: () => boolean) => continueDeletions({ db, hashUser }, isClosed),
  }
  return {
    ...EMPTY,
    parts: {
      sdkClients,
      acknowledge,
      storeUnknown,
      ingestImpressions,
      impressionBudget: ingest.impressions.budget,
    },
    handlers: {
      ...impressionHandlers({ ...ingest.impressions, ingest: ingestImpressions, lists, retentionDays }),
      ...goalEventHandlers(ingest.goal_events),
      ...unknownFlagHandlers({ ...basics, acknowledge }),
      ...seenUserHandlers({ ...basics, hashUser, seenUsers }),
      ...propagationHandlers({ ...lists, store }),
      ...reportHandlers({ ...basics, hashUser, seenUsers }),
    },
    lookups: {
      unknown_flag: (at) => unknownFlagExists(db, environmentOf(at), String(at.params.key)),
    },
    workers: [
      worker('partitions of reports', () =>
        startPartitionKeeping({ clock, log, partitions }, { retentionDays, seenUsersDays }),
      ),
      { name: 'clients', ...store },
      { name: 'seen users', ...seenUsers },
      worker('removal of reports', () => startReportRemoval(removal)),
    ],
    prune: [
      { name: 'unknown flags', remove: (_, rows) => pruneUnknownFlags(db, rows) },
      { name: 'names of batches', remove: (_, rows) => pruneBatchNames(db, rows) },
    ],
  }
}

/** Creates what counts the clients that confirm changes. */
function createClients({ clock, db, instance_id, log, metrics }: Basics) {
  const sdkClients = createSdkClients({ clock, onLatency: measureClientLatency(metrics) })
  const store = createClientStore({ clients: sdkClients, db, log, server_id: instance_id })
  measureClients(metrics, store)
  return { sdkClients, store }
}

async function createStores(config: Config, { clock, data_key, database, db, log, metrics }: Basics) {
  const partitions = createReportPartitions(database.maintenance)
  const hashUser = await openUserHash({ db, connection: database.ownerConnection, log, data_key })
  const ingest = createIngest(config, { db, clock, metrics, partitions, hashUser })
  const seenUsers = createSeenUsers({ db, log, partitions }, { usersMax: config.seenUsersMax })
  const ingestImpressions = createImpressionIngest({ ...ingest.impressions, onSeen: seenUsers.see })
  const storeUnknown = createUnknownFlagStore(ingest.unknown_flags)
  return { partitions, hashUser, ingest, seenUsers, ingestImpressions, storeUnknown }
}
