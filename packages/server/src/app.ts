import { endpoints } from '@burgee/contract'
import { type Composed, compose } from './app/compose.ts'
import { connectionLimits } from './app/connection-limits.ts'
import { createBasics } from './app/create-basics.ts'
import { listShortcuts } from './app/list-shortcuts.ts'
import { measureQueues } from './app/measure-queues.ts'
import { startPruning } from './app/prune.ts'
import { startWorkers } from './app/start-workers.ts'
import { warnOfSettings } from './app/warn-of-settings.ts'
import { warnOfWeakSecrets } from './app/warn-of-weak-secrets.ts'
import type { Basics } from './changes/index.ts'
import { drainHttp } from './http/drain-http.ts'
import { createHttpServer, type HttpServerDeps } from './http/http-server.ts'
import { isLocalHost, listeningUrl, resolveHost } from './http/listening-address.ts'
import type { MountDeps } from './http/mount-endpoint.ts'
import { createAdmitMetrics } from './http/requests/admit-metrics.ts'
import { createRequestLimits } from './http/requests/request-limits.ts'
import { createValidators, type Validators } from './http/requests/validators.ts'
import { apiDocsHandlers } from './http/responses/api-docs.ts'
import { createConnections } from './http/sockets/create-connections.ts'
import { systemHandlers } from './http/system-handlers.ts'
import type { Clock } from './platform/clock.ts'
import { worker } from './platform/composition.ts'
import { withTimeout } from './platform/concurrency/with-timeout.ts'
import { createPasswordHasher, type PasswordHasher } from './platform/crypto/password.ts'
import { followDatabaseTime } from './platform/db/follow-database-time.ts'
import { measurePool } from './platform/db/measure-pool.ts'
import { type MigratedDatabase, openDatabase } from './platform/db/open-database.ts'
import { createStoredTexts } from './platform/db/stored-text-queries.ts'
import type { Log } from './platform/log/log.ts'
import { measureProcess } from './platform/metrics/measure-process.ts'
import { resolvePublicDir } from './platform/public-dir.ts'
import { resolveSessionSecrets } from './platform/session-secrets.ts'
import type { Config } from './platform/settings/config.ts'

/**
 * The number of connections that may wait to be accepted. Clients that all reconnect at once exceed Node's
 * default of 511; the operating system may allow fewer.
 */
const LISTEN_BACKLOG = 16_384
const READY_TIMEOUT_MS = 2_000
/** The age at which the last poll of the change log is too old to trust. It runs every second. */
const CHANGES_CONFIRMED_MS = 10_000
/** The time to drain on a shutdown. It leaves enough of 10 s to stop the embedded database properly. */
const DRAIN_MS = 6_000
/** The time to store what waits after the last request, beyond that. */
const STORE_MS = 500
const BUS_CLOSE_MS = 500

export interface App {
  /** The address of the server, such as `http://localhost:3000`. */
  readonly url: string
  /** Ends streams, finishes requests and stops every part, the embedded database last. */
  close(): Promise<void>
  /** Closes every connection at once after a fault, accepts no more, and stops the embedded database. */
  abandon(): Promise<void>
}

export interface AppDeps {
  readonly log: Log
  readonly clock: Clock
  /** Aborts an unfinished start: `startApp` rejects with the signal's reason once everything has stopped. */
  readonly signal?: AbortSignal
  /** Prints a line for the person who started the server. */
  readonly print: (line: string) => void
  readonly onReply?: MountDeps['onReply']
  /** Validates requests; compiled for this server unless given. */
  readonly validators?: Validators
  /** Hashes passwords; with the full cost unless given. */
  readonly passwords?: PasswordHasher
  /** Options of Node for child processes, where the server runs from its sources. */
  readonly childArgs?: readonly string[]
  /**
   * Sets the clock to the time of the database, in milliseconds since 1970. Without it the clock is not
   * changed.
   */
  readonly setTime?: (epochMs: number) => void
}

/**
 * Starts the whole service, part by part, and listens. When a step fails, the parts that were started are
 * stopped.
 */
export async function startApp(config: Config, deps: AppDeps): Promise<App> {
  warnOfWeakSecrets(deps, config)
  warnOfSettings(deps, config)
  const sessionSecrets = await resolveSessionSecrets(deps, config)
  const { signal = new AbortController().signal } = deps
  const database = await openDatabase({ log: deps.log, signal }, config)
  const { log, setTime } = deps
  const time = setTime && (await followDatabaseTime({ db: database.db, log, onTime: setTime }))
  try {
    signal.throwIfAborted()
    const app = await serve(config, deps, { database, sessionSecrets })
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

interface OpenedResources {
  readonly database: MigratedDatabase
  readonly sessionSecrets: readonly string[]
}

/**
 * Starts serving with the opened resources: composes the domains, mounts the endpoints, starts the workers
 * and defines the shutdown.
 */
async function serve(config: Config, deps: AppDeps, opened: OpenedResources): Promise<App> {
  const { clock, log } = deps
  const { database } = opened
  const basics = await createBasics(config, { clock, log, ...opened })
  const { bus, changefeed, db, metrics } = basics
  const { outbound, ...connections } = connectionLimits(config)
  const composed = await compose(config, basics, {
    passwords: deps.passwords ?? createPasswordHasher(),
    childArgs: deps.childArgs,
    outboundConnections: outbound,
  })
  let isDraining = false
  const isReady = async () => {
    const ageMs = clock.monotonicMs() - changefeed.confirmedAtMs()
    if (isDraining || ageMs >= CHANGES_CONFIRMED_MS) return false
    return database.storage.isWritable(db, READY_TIMEOUT_MS)
  }
  const http = await createHttpServer(httpDeps(config, { basics, composed, connections }, deps), endpoints, {
    ...composed.handlers,
    ...systemHandlers({ isReady, metrics }),
    ...apiDocsHandlers(config),
  })
  measurePool(metrics, database.pool, config.dbMaxConnections)
  measureQueues(metrics, composed.measures)
  const workers = await startWorkers([
    ...composed.workers,
    worker('measurements of the process', () => measureProcess(metrics)),
    worker('pruning', () => startPruning({ clock, log }, composed.prune)),
  ])

  const close = async () => {
    isDraining = true
    const delivered = workers.closeOthers()
    const drained = withTimeout(drainHttp(http), DRAIN_MS).then(composed.close)
    await withTimeout(Promise.all([drained, workers.close()]), DRAIN_MS + STORE_MS)
    await delivered
    await withTimeout(bus.close(), BUS_CLOSE_MS)
    await database.close()
  }
  const abandon = async () => {
    http.server.close()
    http.server.closeAllConnections()
    composed.serving.cutStreams()
    await database.abandon()
  }
  try {
    const url = await listen(config, deps, { http, composed, onListening: workers.onListening })
    return { url, close, abandon }
  } catch (error) {
    await close()
    throw error
  }
}

interface Listener {
  readonly http: Awaited<ReturnType<typeof createHttpServer>>
  readonly composed: Composed
  readonly onListening: () => Promise<void>
}

/**
 * Prepares setup, listens, and prints what the person who started the server has to know. Returns the
 * address.
 */
async function listen(
  config: Config,
  { print }: AppDeps,
  { composed, http, onListening }: Listener,
): Promise<string> {
  const wizardPaths: string[] = []
  await composed.identity.prepareSetup((path) => wizardPaths.push(path))
  const host = await resolveHost(config.host)
  await http.listen({ port: config.port, host, backlog: LISTEN_BACKLOG })
  await onListening()
  const url = listeningUrl(config.host, http.server.address())
  if (needsHttps(config)) print(HTTPS_NOTICE)
  for (const path of wizardPaths) print(`Set up Burgee: ${config.publicUrl ?? url}${path}`)
  return url
}

/** Tests whether browsers on other machines drop the session cookie unless a proxy provides https. */
const needsHttps = ({ cookieSecure, host, publicUrl }: Config): boolean =>
  cookieSecure && !isLocalHost(host) && publicUrl?.startsWith('https:') !== true

const HTTPS_NOTICE =
  'From other machines, sign in over https. To sign in over http in a network that you trust, set COOKIE_SECURE=false.'

interface HttpParts {
  readonly basics: Basics
  readonly composed: Composed
  readonly connections: Omit<ReturnType<typeof connectionLimits>, 'outbound'>
}

/** The dependencies of the HTTP server itself, for what it does before a handler runs. */
function httpDeps(
  config: Config,
  { basics, composed, connections }: HttpParts,
  { onReply, validators }: AppDeps,
): HttpServerDeps {
  const { accessChanges, clock, db, log, metrics } = basics
  const { identity, lookups, serving, structure, texts } = composed
  const limits = createRequestLimits({ clock }, config.rateLimits)
  return {
    log,
    clock,
    metrics,
    limits,
    connections: createConnections({ log, metrics, ...connections }),
    rights: accessChanges,
    scim: identity.scim,
    mcp: config.mcp,
    trustProxy: config.trustProxy,
    requestTimeoutSeconds: config.requestTimeoutSeconds,
    publicUrl: config.publicUrl,
    publicDir: resolvePublicDir(config.publicDir),
    validators: validators ?? createValidators(),
    shortcuts: listShortcuts({ ...composed, basics, limits }),
    ...(onReply && { onReply }),
    credentials: {
      ...identity.credentials,
      findTicket: serving.findTicket,
      admitMetrics: createAdmitMetrics(config.metrics_token),
    },
    scopes: { ...structure.scopes, exists: lookups },
    hasStoredText: createStoredTexts(db, texts),
  }
}
