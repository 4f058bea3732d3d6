import { randomUUID } from 'node:crypto'
import { endpoints } from '@burgee/contract'
import { createAccess } from './app/create-access.ts'
import { createDeliveries } from './app/create-deliveries.ts'
import { createFlagWrites } from './app/create-flag-writes.ts'
import { createIngest } from './app/create-ingest.ts'
import { openUserHash } from './app/open-user-hash.ts'
import { scopeLookups } from './app/scope-lookups.ts'
import { warnOfOpenTargets } from './app/warn-of-open-targets.ts'
import { warnOfShortSecrets } from './app/warn-of-short-secrets.ts'
import type { Config } from './config.ts'
import { accessTokenHandlers } from './features/access-tokens/index.ts'
import { auditHandlers } from './features/audit/index.ts'
import { authHandlers, pruneLogins } from './features/auth/index.ts'
import { changeRequestHandlers } from './features/change-requests/index.ts'
import { createStreamCounts, findConnections, startStreamCountReports } from './features/connections/index.ts'
import { environmentHandlers } from './features/environments/index.ts'
import { experimentHandlers } from './features/experiments/index.ts'
import { flagHandlers, loadWireFlags } from './features/flags/index.ts'
import { goalEventHandlers } from './features/goal-events/index.ts'
import { impressionHandlers } from './features/impressions/index.ts'
import { integrationHandlers } from './features/integrations/index.ts'
import { memberHandlers } from './features/members/index.ts'
import { projectHandlers } from './features/projects/index.ts'
import { continueDeletions, reportHandlers } from './features/report-deletions/index.ts'
import { scheduledChangeHandlers } from './features/scheduled-changes/index.ts'
import { sdkKeyHandlers } from './features/sdk-keys/index.ts'
import { segmentHandlers } from './features/segments/index.ts'
import { createAdmitSetup, prepareSetup, setupHandlers } from './features/setup/index.ts'
import { userHandlers } from './features/users/index.ts'
import { webhookHandlers } from './features/webhooks/index.ts'
import { createAdmitMetrics } from './http/admit-metrics.ts'
import { SNAPSHOT_HEADERS } from './http/answer-headers.ts'
import { apiDocsHandlers } from './http/api-docs.ts'
import { boundOutbound, connectionBudget } from './http/connections/connection-budget.ts'
import { createConnections } from './http/connections/create-connections.ts'
import { createIsProxy } from './http/connections/is-proxy.ts'
import { drainHttp } from './http/drain-http.ts'
import { createHttpServer } from './http/http-server.ts'
import { listeningUrl, resolveHost } from './http/listening-address.ts'
import type { MountDeps } from './http/mount-endpoint.ts'
import { createRequestLimits } from './http/request-limits.ts'
import { systemHandlers } from './http/system-handlers.ts'
import { createValidators } from './http/validators.ts'
import { DELIVERIES_MAX } from './jobs/deliver-events.ts'
import { startAuditKeeping } from './jobs/keep-audit-months.ts'
import { startPartitionKeeping } from './jobs/keep-partitions.ts'
import { measureQueues } from './jobs/measure-queues.ts'
import { startPruning } from './jobs/prune.ts'
import { startReportRemoval } from './jobs/remove-deleted-reports.ts'
import { answerMemory, createAnswerBudget, measureAnswerMemory } from './platform/answer-budget.ts'
import { createBus } from './platform/bus/create-bus.ts'
import type { Clock } from './platform/clock.ts'
import { openDataKey } from './platform/crypto/data-key.ts'
import { followDatabaseTime } from './platform/db/follow-database-time.ts'
import { measurePool } from './platform/db/measure-pool.ts'
import { type MigratedDatabase, openDatabase } from './platform/db/open-database.ts'
import { createReportPartitions } from './platform/db/report-partitions.ts'
import { createKeyedQueue } from './platform/keyed-queue.ts'
import type { Log } from './platform/log.ts'
import { measureProcess } from './platform/measure-process.ts'
import { createMetrics, type Metrics } from './platform/metrics.ts'
import { readOpenFilesLimit } from './platform/open-files-limit.ts'
import { createPrivateTargets } from './platform/outbound/private-targets.ts'
import { resolvePublicDir } from './platform/public-dir.ts'
import { resolveSessionSecrets } from './platform/session-secrets.ts'
import { waitAtMost } from './platform/wait-at-most.ts'
import {
  createLiveFlags,
  createSnapshotShortcut,
  createStreamLimits,
  streamHandlers,
} from './stream/index.ts'

/** Connections that wait to be accepted. Clients that all reconnect at once exceed Node's 511; the system may allow fewer. */
const LISTEN_BACKLOG = 16_384
const READY_TIMEOUT_MS = 2_000
/** The poll of the changes is a second apart; without one for this long an instance no longer knows what it serves. */
const CHANGES_CONFIRMED_MS = 10_000
/** What stopping may take, so that the embedded database is stopped properly within the 10 s of a shutdown. */
const DRAIN_MS = 6_000
const BUS_CLOSE_MS = 500

export interface App {
  /** Where it listens: `http://localhost:3000`. */
  readonly url: string
  /** Ends streams, finishes requests, stops everything, the embedded database last. */
  close(): Promise<void>
  /** After a fault: cuts every connection off at once, accepts no more, and stops the embedded database. */
  abandon(): Promise<void>
}

export interface AppDeps {
  readonly log: Log
  readonly clock: Clock
  /** Gives up a start that is not finished: `startApp` rejects with its reason when nothing runs any more. */
  readonly signal?: AbortSignal
  /** Shows a line to the person who started the server. */
  readonly print: (line: string) => void
  readonly onReply?: MountDeps['onReply']
  /** Sets the clock to the database's time, in milliseconds since 1970. Without it the clock is left alone. */
  readonly setTime?: (epochMs: number) => void
}

/** The whole service, built part by part by plain calls, listening. Whatever fails on the way stops what was started. */
export async function startApp(config: Config, deps: AppDeps): Promise<App> {
  warnOfShortSecrets(deps, config)
  const sessionSecrets = await resolveSessionSecrets(deps, config)
  const { signal = new AbortController().signal } = deps
  const database = await openDatabase({ log: deps.log, signal }, config)
  const { log, setTime } = deps
  const time = setTime && (await followDatabaseTime({ db: database.db, log, onTime: setTime }))
  try {
    signal.throwIfAborted()
    const app = await serve(config, deps, database, sessionSecrets)
    const close = () => {
      time?.close()
      return app.close()
    }
    return { ...app, close }
  } catch (error) {
    time?.close()
    await database.close()
    throw error
  }
}

async function serve(
  config: Config,
  { clock, log, onReply, print }: AppDeps,
  database: MigratedDatabase,
  sessionSecrets: readonly string[],
): Promise<App> {
  const { db } = database
  const newId = randomUUID
  const metrics = await createMetrics({ isServed: config.metrics_token !== null })
  const limits = createRequestLimits({ clock }, config.rateLimits)
  const bus = await createBus(
    { log, pool: database.pool },
    { redisUrl: config.redisUrl, connection: database.connection },
  )
  const counts = createStreamCounts({ now: () => clock.now().toISOString() })
  const connected = { db, counts, instance_id: newId() }
  const live = createLiveFlags({
    db,
    bus,
    clock,
    log,
    metrics,
    load: (environment_id) => loadWireFlags(db, environment_id),
    keyStreams: counts,
  })
  const access = createAccess(config, { db, clock, log, live, sessionSecrets })
  const { keys, knownDevices, passwords, readable, sessions } = access
  const queue = createKeyedQueue()
  const { environmentQuotaBytes: quotaBytes, environmentWireBytes: wireMaxBytes } = config
  const structure = { db, bus, clock, newId, quotaBytes, onAccessChanged: access.onAccessChanged }
  const budget = createAnswerBudget({ clock }, { maxBytes: answerMemory() })
  measureAnswerMemory(metrics, budget)
  const lists = { db, budget }
  const accounts = { ...structure, passwords, passwordPolicy: config.passwordPolicy }
  const data_key = await openDataKey({ db }, sessionSecrets)
  warnOfOpenTargets(log, config)
  const privateTargets = createPrivateTargets({
    areBlocked: config.blockPrivateTargets,
    allow: config.outboundAllow,
  })
  const connections = connectionLimits(config)
  const deliveries = createDeliveries(config, {
    db,
    clock,
    log,
    data_key,
    structure,
    privateTargets,
    connections: connections.outbound,
  })
  const { claimSeconds, run: delivering } = deliveries
  const { committed: onCommitted } = live.changefeed
  const onEvents = delivering.wake
  const writes = { db, bus, clock, newId, queue, quotaBytes, wireMaxBytes, onCommitted, onEvents }
  const delivery = { ...structure, data_key, privateTargets }
  const { flagWrites, scheduled } = createFlagWrites({ db, clock, log }, writes)
  const partitions = createReportPartitions(database.maintenance)
  const hashUser = await openUserHash({ db, connection: database.ownerConnection, log, data_key })
  const ingest = createIngest(config, { db, clock, metrics, partitions, hashUser })
  let isDraining = false
  const isReady = async () => {
    const ageMs = clock.monotonicMs() - live.changefeed.confirmedAtMs()
    if (isDraining || ageMs >= CHANGES_CONFIRMED_MS) return false
    return database.storage.isWritable(db, READY_TIMEOUT_MS)
  }

  const http = await createHttpServer(
    {
      log,
      clock,
      metrics,
      limits,
      connections: createConnections({ log, metrics, ...connections }),
      rights: access.rights,
      trustProxy: config.trustProxy,
      requestTimeoutSeconds: config.requestTimeoutSeconds,
      publicUrl: config.publicUrl,
      publicDir: resolvePublicDir(config.publicDir),
      validators: createValidators(),
      shortcut: createSnapshotShortcut({
        findKnownKey: keys.findKnown,
        peekSnapshot: live.snapshots.peek,
        headers: SNAPSHOT_HEADERS,
        newId,
        take: (actor) => limits.take(actor, 'other') === null,
      }),
      ...(onReply && { onReply }),
      credentials: {
        ...access.credentials,
        admitSetup: createAdmitSetup({ db, clock }),
        admitMetrics: createAdmitMetrics(config.metrics_token),
      },
      scopes: scopeLookups(db),
    },
    endpoints,
    {
      ...systemHandlers({ isReady, metrics }),
      ...apiDocsHandlers(),
      ...setupHandlers({ ...accounts, sessions, knownDevices }),
      ...authHandlers({ ...accounts, sessions, knownDevices, cookieSecure: config.cookieSecure }),
      ...userHandlers({ ...accounts, endSessions: sessions.endOthers }),
      ...accessTokenHandlers({ ...structure, tokens: access.tokens }),
      ...projectHandlers(structure),
      ...memberHandlers(structure),
      ...environmentHandlers({
        ...structure,
        findConnections: (environment_id) => findConnections(connected, environment_id),
      }),
      ...sdkKeyHandlers(structure),
      ...flagHandlers({ ...lists, writes: flagWrites }),
      ...changeRequestHandlers({ ...lists, clock, writes: flagWrites }),
      ...scheduledChangeHandlers({ ...lists, writes: flagWrites }),
      ...experimentHandlers({ ...structure, ...lists, log }),
      ...auditHandlers(lists),
      ...webhookHandlers({ ...delivery, onQueued: delivering.wake }),
      ...integrationHandlers({ ...delivery, claimSeconds, deliverNow: delivering.deliverNow }),
      ...segmentHandlers({ ...lists, writes: flagWrites }),
      ...impressionHandlers({ ...ingest.impressions, retentionDays: config.impressionRetentionDays }),
      ...goalEventHandlers(ingest.goal_events),
      ...reportHandlers({ ...structure, hashUser, log }),
      ...streamHandlers({
        hub: live.hub,
        snapshots: live.snapshots,
        readable,
        rights: live.rights,
        limits: createStreamLimits({ metrics }, { maxPerKey: config.connectionLimits.maxStreamsPerKey }),
      }),
    },
  )
  const keeping = await startPartitionKeeping(
    { clock, log, partitions },
    { retentionDays: config.impressionRetentionDays },
  )
  const audit = await startAuditKeeping(
    { connection: database.ownerConnection, clock, log },
    { retentionDays: config.auditRetentionDays },
  )
  const measuring = measureInstance(metrics, config, database)
  await live.start({ onAccessChanged: keys.clear, readable, review: access.review })
  scheduled.start()
  delivering.start()
  const pruning = startPruning({ db, clock, log, pruneOthers: (now) => pruneLogins(db, now) })
  const reports = startStreamCountReports({ ...connected, log })
  const removal = startReportRemoval({
    db,
    log,
    continueDeletions: (isClosed) => continueDeletions({ db, hashUser }, isClosed),
  })

  const close = async () => {
    isDraining = true
    measuring.close()
    const drained = drainHttp(http).then(access.tokens.usesStored)
    const told = deliveries.close()
    await waitAtMost(
      DRAIN_MS,
      Promise.all([
        drained,
        scheduled.close(),
        live.close(),
        pruning.close(),
        reports.close(),
        keeping.close(),
        audit.close(),
        removal.close(),
      ]),
    )
    await told
    await waitAtMost(BUS_CLOSE_MS, bus.close())
    await database.close()
  }
  const abandon = async () => {
    http.server.close()
    http.server.closeAllConnections()
    await database.abandon()
  }
  try {
    const wizardPaths: string[] = []
    await prepareSetup({ db, clock, log, newId, passwords, sessionSecrets }, config, {
      print: (path) => wizardPaths.push(path),
    })
    await http.listen({
      port: config.port,
      host: await resolveHost(config.host),
      backlog: LISTEN_BACKLOG,
    })
    const url = listeningUrl(config.host, http.server.address())
    for (const path of wizardPaths) print(`Set up Burgee: ${config.publicUrl ?? url}${path}`)
    return { url, close, abandon }
  } catch (error) {
    await close()
    throw error
  }
}

/** What is read at each scrape, but for what the streams tell of themselves. */
function measureInstance(
  metrics: Metrics,
  { dbMaxConnections }: Config,
  { db, pool }: MigratedDatabase,
): { close(): void } {
  measurePool(metrics, pool, dbMaxConnections)
  measureQueues(metrics, db)
  return measureProcess(metrics)
}

function connectionLimits({ connectionLimits, dbMaxConnections, trustProxy }: Config) {
  const { max_connections, maxPerAddress } = connectionLimits
  const openFiles = readOpenFilesLimit()
  const outbound = boundOutbound(openFiles, DELIVERIES_MAX)
  const budget = connectionBudget({
    openFiles,
    configured: max_connections,
    databaseConnections: dbMaxConnections,
    outboundConnections: outbound,
  })
  return { budget, outbound, maxPerAddress: maxPerAddress, isProxy: createIsProxy(trustProxy) }
}
