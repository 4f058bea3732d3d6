import { randomUUID } from 'node:crypto'
import { createTranslator } from '../governance/import/index.ts'
import { createRequestLimits } from '../http/requests/request-limits.ts'
import { createExceededBounds } from '../insight/exceeded-bounds/index.ts'
import { createBus } from '../platform/bus/create-bus.ts'
import type { Clock } from '../platform/clock.ts'
import { createKeyedQueue } from '../platform/concurrency/keyed-queue.ts'
import {
  createResponseBudget,
  measureResponseMemory,
  responseMemory,
} from '../platform/concurrency/response-budget.ts'
import { openDataKey } from '../platform/crypto/data-key.ts'
import type { PasswordHasher } from '../platform/crypto/password.ts'
import type { MigratedDatabase } from '../platform/db/open-database.ts'
import type { Log } from '../platform/log/log.ts'
import { createMetrics } from '../platform/metrics/metrics.ts'
import { createPrivateTargets } from '../platform/outbound/private-targets.ts'
import type { Config } from '../platform/settings/config.ts'
import { createAcknowledge } from '../reporting/unknown-flags/index.ts'
import { createKeyStreamCounts, createStreamCounts } from '../serving/connections/index.ts'
import { createLiveFlags } from '../serving/stream/index.ts'
import { createKeyUses } from '../structure/sdk-keys/index.ts'
import { loadWireFlags } from '../targeting/flags/index.ts'
import { connectionLimits } from './connection-limits.ts'
import { createAccess } from './create-access.ts'
import { createDeliveries } from './create-deliveries.ts'
import { createFactors } from './create-factors.ts'
import { createFlagWrites } from './create-flag-writes.ts'
import { createLinks } from './create-links.ts'
import { createOfrepParts } from './create-ofrep-parts.ts'
import { createPropagation } from './create-propagation.ts'
import { createProvisioning } from './create-provisioning.ts'
import { createReports } from './create-reports.ts'
import { listenToKeyStreams } from './listen-to-key-streams.ts'
import { warnOfOpenTargets } from './warn-of-open-targets.ts'

interface PartsDeps {
  readonly clock: Clock
  readonly log: Log
  readonly database: MigratedDatabase
  readonly sessionSecrets: readonly string[]
  readonly passwords: PasswordHasher
  /** Options of Node for child processes, where the server runs from its sources. */
  readonly childArgs?: readonly string[] | undefined
}

/** The parts that handlers and workers use. */
export type Parts = Awaited<ReturnType<typeof createParts>>

/** Creates every part of the server. None of them runs by itself yet. */
export async function createParts(config: Config, deps: PartsDeps) {
  const { clock, database, log, passwords, sessionSecrets } = deps
  const { db } = database
  const newId = randomUUID
  const basics = { db, clock, log, newId }
  const metrics = await createMetrics({ isServed: config.metrics_token !== null })
  const { connection, pool } = database
  const bus = await createBus({ log, pool }, { redisUrl: config.redisUrl, connection })
  const streamCounts = createStreamCounts({ now: () => clock.now().toISOString() })
  const keyCounts = createKeyStreamCounts()
  const keyUses = createKeyUses({ db, clock, log })
  const { instance_id, sdkClients, clientStore } = createPropagation({ ...basics, metrics })
  const keyStreams = listenToKeyStreams({ streamCounts, keyCounts, keyUses, sdkClients })
  const load = (environment_id: string) => loadWireFlags(db, environment_id)
  const live = createLiveFlags({ db, bus, clock, log, metrics, load, keyStreams, clients: sdkClients })
  const access = await createAccess(config, { ...basics, live, keyUses, passwords, sessionSecrets, metrics })
  const data_key = await openDataKey({ db }, sessionSecrets)
  warnOfOpenTargets(log, config)
  const privateTargets = createPrivateTargets({
    areBlocked: config.blockPrivateTargets,
    allow: config.outboundAllow,
  })
  const quotaBytes = config.environmentQuotaBytes
  const workspaceWrites = { db, bus, clock, newId, quotaBytes, onAccessChanged: access.onAccessChanged }
  const links = await createLinks(config, { ...workspaceWrites, log })
  const connections = connectionLimits(config)
  const deliveries = createDeliveries(config, {
    ...{ db, clock, log, data_key },
    workspaceWrites,
    privateTargets,
    connections: connections.outbound,
  })
  const { flagWrites, ...flagParts } = createFlagWrites(config, basics, {
    ...{ db, bus, clock, newId, quotaBytes },
    queue: createKeyedQueue(),
    wireMaxBytes: config.environmentWireBytes,
    onCommitted: live.changefeed.committed,
    onEvents: deliveries.wake,
  })
  const reports = await createReports(config, { ...basics, metrics, database, data_key })
  const budget = createResponseBudget({ clock }, { maxBytes: responseMemory() })
  measureResponseMemory(metrics, budget)
  return {
    ...basics,
    ...{ access, bus, connections, deliveries },
    exceededBounds: createExceededBounds(db),
    factors: createFactors(config, { ...workspaceWrites, log, data_key, sessionSecrets }),
    flagWrites,
    ...flagParts,
    keyUses,
    ...reports,
    ofrep: createOfrepParts(config, { ...basics, ...reports, live, access, metrics, data_key }),
    limits: createRequestLimits({ clock }, config.rateLimits),
    lists: { db, budget },
    live,
    links,
    metrics,
    receivers: { ...workspaceWrites, data_key, privateTargets },
    scim: createProvisioning(config, { ...workspaceWrites, access, groupChanges: links.groupChanges }),
    acknowledge: createAcknowledge({ ...reports, confirm: sdkClients.acknowledge }),
    ...{ sdkClients, clientStore, translator: createTranslator({ execArgv: deps.childArgs }) },
    streamCounts: { db, counts: streamCounts, keyCounts, instance_id },
    workspaceWrites,
  }
}
