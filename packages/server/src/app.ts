import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { endpoints } from '@burgee/contract'
import type { Kysely } from 'kysely'
import type { EnvironmentWrite } from './changes/index.ts'
import type { Config } from './config.ts'
import { accessTokenExists, accessTokenHandlers, createAccessTokens } from './features/access-tokens/index.ts'
import { auditHandlers } from './features/audit/index.ts'
import { authHandlers, createSessions, pruneLogins } from './features/auth/index.ts'
import {
  changeRequestExists,
  changeRequestHandlers,
  openChangeRequest,
} from './features/change-requests/index.ts'
import { createStreamCounts, findConnections, startStreamCountReports } from './features/connections/index.ts'
import {
  defaultEnvironmentOfOldestProject,
  environmentHandlers,
  findEnvironmentScope,
  readableEnvironments,
} from './features/environments/index.ts'
import { flagExists, flagHandlers, loadWireFlags } from './features/flags/index.ts'
import { memberExists, memberHandlers } from './features/members/index.ts'
import { findProjectScope, projectHandlers } from './features/projects/index.ts'
import {
  executeScheduledChange,
  listDueChanges,
  removePendingChanges,
  scheduledChangeExists,
  scheduledChangeHandlers,
} from './features/scheduled-changes/index.ts'
import { createKeyCredentials, sdkKeyExists, sdkKeyHandlers } from './features/sdk-keys/index.ts'
import { createCopySegments, segmentExists, segmentHandlers } from './features/segments/index.ts'
import { createAdmitSetup, prepareSetup, setupHandlers } from './features/setup/index.ts'
import { userExists, userHandlers } from './features/users/index.ts'
import { createAdmitMetrics } from './http/admit-metrics.ts'
import { apiDocsHandlers } from './http/api-docs.ts'
import { drainHttp } from './http/drain-http.ts'
import { statusOf } from './http/error-reply.ts'
import { createHttpServer, SNAPSHOT_HEADERS } from './http/http-server.ts'
import type { MountDeps } from './http/mount-endpoint.ts'
import { createRequestLimits } from './http/request-limits.ts'
import type { ScopeLookups } from './http/resolve-scope.ts'
import { systemHandlers } from './http/system-handlers.ts'
import { createValidators } from './http/validators.ts'
import { measureQueues } from './jobs/measure-queues.ts'
import { startPruning } from './jobs/prune.ts'
import { createScheduledChangesRun } from './jobs/run-scheduled-changes.ts'
import { createBus } from './platform/bus/create-bus.ts'
import type { Clock } from './platform/clock.ts'
import { createPasswordHasher } from './platform/crypto/password.ts'
import { createSessionSeal } from './platform/crypto/sealed-session.ts'
import { answersInTime } from './platform/db/answers-in-time.ts'
import { measurePool } from './platform/db/measure-pool.ts'
import { type MigratedDatabase, openDatabase } from './platform/db/open-database.ts'
import type { Database } from './platform/db/tables.ts'
import { createKeyedQueue } from './platform/keyed-queue.ts'
import type { Log } from './platform/log.ts'
import { countIngestRows } from './platform/measure-ingest.ts'
import { measureProcess } from './platform/measure-process.ts'
import { createMetrics, type Metrics } from './platform/metrics.ts'
import { resolvePublicDir } from './platform/public-dir.ts'
import { resolveSessionSecrets } from './platform/session-secrets.ts'
import { waitAtMost } from './platform/wait-at-most.ts'
import { createLiveFlags, createSnapshotShortcut, type LiveFlags, streamHandlers } from './stream/index.ts'

const READY_TIMEOUT_MS = 2_000
/** The poll of the changes is a second apart; without one for this long an instance no longer knows what it serves. */
const CHANGES_CONFIRMED_MS = 10_000
/** What stopping may take, so that the embedded database is stopped properly within the 10 s of a shutdown. */
const DRAIN_MS = 6_000
const BUS_CLOSE_MS = 500
const ALL_INTERFACES = '0.0.0.0'

export interface App {
  /** Where it listens: `http://localhost:3000`. */
  readonly url: string
  /** Ends streams, finishes requests, stops everything, the embedded database last. */
  close(): Promise<void>
}

export interface AppDeps {
  readonly log: Log
  readonly clock: Clock
  /** Shows a line to the person who started the server. */
  readonly print: (line: string) => void
  readonly onReply?: MountDeps['onReply']
}

/** The whole service, built part by part by plain calls, listening. Whatever fails on the way stops what was started. */
export async function startApp(config: Config, deps: AppDeps): Promise<App> {
  const session_secrets = await resolveSessionSecrets(deps, config)
  const database = await openDatabase(deps, config)
  try {
    return await serve(config, deps, database, session_secrets)
  } catch (error) {
    await database.close()
    throw error
  }
}

async function serve(
  config: Config,
  { clock, log, onReply, print }: AppDeps,
  database: MigratedDatabase,
  session_secrets: readonly string[],
): Promise<App> {
  const { db } = database
  const newId = randomUUID
  const metrics = createMetrics({ is_served: config.metrics_token !== null })
  const limits = createRequestLimits({ clock }, config.rate_limits)
  const bus = await createBus(
    { log, pool: database.pool },
    { redis_url: config.redis_url, connection: database.connection },
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
    key_streams: counts,
  })
  const access = createAccess(config, { db, clock, log, live, session_secrets })
  const { keys, passwords, readable, sessions } = access
  const queue = createKeyedQueue()
  const writes = { db, bus, clock, newId, queue, onCommitted: live.changefeed.committed }
  const structure = { db, bus, clock, newId, onAccessChanged: access.onAccessChanged }
  const flag_writes = {
    ...writes,
    statusOf,
    openChangeRequest,
    copySegments: createCopySegments({ newId }),
    onFlagDeleted: ({ environment, tx }: EnvironmentWrite, key: string) =>
      removePendingChanges(tx, environment.id, key),
    onScheduled: () => scheduled.runSoon(),
  }
  const scheduled = createScheduledChangesRun({
    clock,
    log,
    listDue: (now, limit) => listDueChanges(db, now, limit),
    execute: (change) => executeScheduledChange(flag_writes, change),
  })
  let is_draining = false
  const isReady = async () => {
    const age_ms = clock.monotonicMs() - live.changefeed.confirmedAtMs()
    return !is_draining && age_ms < CHANGES_CONFIRMED_MS && (await answersInTime(db, READY_TIMEOUT_MS))
  }

  const http = await createHttpServer(
    {
      log,
      clock,
      metrics,
      limits,
      trust_proxy: config.trust_proxy,
      public_dir: resolvePublicDir(config.public_dir),
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
        findSession: sessions.find,
        findSdkKey: keys.find,
        findAccessToken: access.tokens.find,
        admitSetup: createAdmitSetup({ db, clock }),
        admitMetrics: createAdmitMetrics(config.metrics_token),
      },
      scopes: scopeLookups(db),
    },
    endpoints,
    {
      ...systemHandlers({ isReady, metrics }),
      ...apiDocsHandlers(),
      ...setupHandlers({ ...structure, passwords, sessions }),
      ...authHandlers({ ...structure, passwords, sessions, cookie_secure: config.cookie_secure }),
      ...userHandlers({ ...structure, passwords, endSessions: sessions.endOthers }),
      ...accessTokenHandlers({ ...structure, tokens: access.tokens }),
      ...projectHandlers(structure),
      ...memberHandlers(structure),
      ...environmentHandlers({
        ...structure,
        findConnections: (environment_id) => findConnections(connected, environment_id),
      }),
      ...sdkKeyHandlers(structure),
      ...flagHandlers({ db, writes: flag_writes }),
      ...changeRequestHandlers({ db, clock, writes: flag_writes }),
      ...scheduledChangeHandlers({ db, writes: flag_writes }),
      ...auditHandlers({ db }),
      ...segmentHandlers({ db, writes }),
      ...streamHandlers({ hub: live.hub, snapshots: live.snapshots, readable, rights: live.rights }),
    },
  )
  const measuring = measureInstance(metrics, config, database)
  await live.start({ onAccessChanged: keys.clear, readable, review: access.review })
  scheduled.start()
  const pruning = startPruning({ db, clock, log, pruneOthers: (now) => pruneLogins(db, now) })
  const reports = startStreamCountReports({ ...connected, log })

  const close = async () => {
    is_draining = true
    measuring.close()
    const drained = drainHttp(http).then(access.tokens.usesStored)
    await waitAtMost(
      DRAIN_MS,
      Promise.all([drained, scheduled.close(), live.close(), pruning.close(), reports.close()]),
    )
    await waitAtMost(BUS_CLOSE_MS, bus.close())
    await database.close()
  }
  try {
    const wizard_paths: string[] = []
    await prepareSetup({ db, clock, log, newId, passwords, session_secrets }, config, {
      print: (path) => wizard_paths.push(path),
    })
    await http.listen({ port: config.port, host: ALL_INTERFACES })
    const url = `http://localhost:${portOf(http.server.address())}`
    for (const path of wizard_paths) print(`Set Burgee up: ${config.public_url ?? url}${path}`)
    return { url, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** What is read at each scrape, but for what the streams tell of themselves. */
function measureInstance(
  metrics: Metrics,
  { db_max_connections }: Config,
  { db, pool }: MigratedDatabase,
): { close(): void } {
  measurePool(metrics, pool, db_max_connections)
  measureQueues(metrics, db)
  // Nothing is ingested yet: what it gives counts the rows once something is.
  countIngestRows(metrics)
  return measureProcess(metrics)
}

/** Who may come in: sessions, SDK keys, passwords, and what tells everyone that rights have changed. */
function createAccess(
  { cookie_secure, legacy_sdk_key, max_stale_auth_seconds }: Config,
  deps: {
    readonly db: Kysely<Database>
    readonly clock: Clock
    readonly log: Log
    readonly live: LiveFlags
    readonly session_secrets: readonly string[]
  },
) {
  const { clock, db, live, log } = deps
  const seal = createSessionSeal(deps.session_secrets)
  const sessions = createSessions({ db, clock, newId: randomUUID, seal, cookie_secure })
  const tokens = createAccessTokens({ db, clock, log })
  const { changefeed } = live
  const keys = createKeyCredentials({ db, clock, log, changefeed, legacy_sdk_key, max_stale_auth_seconds })
  return {
    sessions,
    keys,
    tokens,
    passwords: createPasswordHasher(),
    onAccessChanged: () => {
      keys.clear()
      changefeed.hintAccess()
    },
    readable: {
      byUser: (user_ids: readonly number[]) => readableEnvironments(db, user_ids),
      exists: async (environment_id: string) =>
        (await findEnvironmentScope(db, environment_id, null)) !== null,
    },
    review: {
      validSdkKeys: keys.validIds,
      validSessions: sessions.validIds,
      validAccessTokens: tokens.validIds,
      legacyKeyEnvironment: async () => (await defaultEnvironmentOfOldestProject(db))?.environment_id ?? null,
    },
  }
}

function scopeLookups(db: Kysely<Database>): ScopeLookups {
  return {
    findProject: (project_id, user_id) => findProjectScope(db, project_id, user_id),
    findEnvironment: (environment_id, user_id) => findEnvironmentScope(db, environment_id, user_id),
    exists: {
      flag: ({ params, scope }) => flagExists(db, scope?.environment?.id ?? '', String(params.key)),
      segment: ({ params, scope }) => segmentExists(db, scope?.environment?.id ?? '', String(params.key)),
      sdk_key: ({ params, scope }) => sdkKeyExists(db, scope?.project_id ?? '', Number(params.id)),
      member: ({ params, scope }) => memberExists(db, scope?.project_id ?? '', Number(params.user_id)),
      user: ({ params }) => userExists(db, Number(params.id)),
      access_token: ({ actor, params }) => accessTokenExists(db, actor, Number(params.id)),
      change_request: ({ params, scope }) =>
        changeRequestExists(db, scope?.environment?.id ?? '', Number(params.id)),
      scheduled_change: ({ params, scope }) =>
        scheduledChangeExists(db, scope?.environment?.id ?? '', String(params.id)),
    },
  }
}

const portOf = (address: AddressInfo | string | null): number =>
  typeof address === 'object' && address !== null ? address.port : 0
