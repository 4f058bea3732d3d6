import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { endpoints } from '@burgee/contract'
import type { Kysely } from 'kysely'
import type { Config } from './config.ts'
import { authHandlers, createSessions, pruneLogins } from './features/auth/index.ts'
import {
  environmentHandlers,
  findEnvironmentScope,
  readableEnvironments,
} from './features/environments/index.ts'
import { flagExists, flagHandlers, loadWireFlags } from './features/flags/index.ts'
import { findProjectScope, projectHandlers } from './features/projects/index.ts'
import { createKeyCredentials, sdkKeyExists, sdkKeyHandlers } from './features/sdk-keys/index.ts'
import { segmentExists, segmentHandlers } from './features/segments/index.ts'
import { createAdmitSetup, prepareSetup, setupHandlers } from './features/setup/index.ts'
import { apiDocsHandlers } from './http/api-docs.ts'
import { drainHttp } from './http/drain-http.ts'
import { createHttpServer, SNAPSHOT_HEADERS } from './http/http-server.ts'
import type { MountDeps } from './http/mount-endpoint.ts'
import type { ScopeLookups } from './http/resolve-scope.ts'
import { systemHandlers } from './http/system-handlers.ts'
import { createValidators } from './http/validators.ts'
import { startPruning } from './jobs/prune.ts'
import { createBus } from './platform/bus/create-bus.ts'
import type { Clock } from './platform/clock.ts'
import { createPasswordHasher } from './platform/crypto/password.ts'
import { createSessionSeal } from './platform/crypto/sealed-session.ts'
import { answersInTime } from './platform/db/answers-in-time.ts'
import { type MigratedDatabase, openDatabase } from './platform/db/open-database.ts'
import type { Database } from './platform/db/tables.ts'
import { createKeyedQueue } from './platform/keyed-queue.ts'
import type { Log } from './platform/log.ts'
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
  const bus = await createBus(
    { log, pool: database.pool },
    { redis_url: config.redis_url, connection: database.connection },
  )
  const live = createLiveFlags({
    db,
    bus,
    clock,
    log,
    load: (environment_id) => loadWireFlags(db, environment_id),
  })
  const access = createAccess(config, { db, clock, log, live, session_secrets })
  const { keys, passwords, readable, sessions } = access
  const queue = createKeyedQueue()
  const writes = { db, bus, clock, newId, queue, onCommitted: live.changefeed.committed }
  const structure = { db, bus, clock, newId, onAccessChanged: access.onAccessChanged }
  let is_draining = false
  const isReady = async () => {
    const age_ms = clock.monotonicMs() - live.changefeed.confirmedAtMs()
    return !is_draining && age_ms < CHANGES_CONFIRMED_MS && (await answersInTime(db, READY_TIMEOUT_MS))
  }

  const http = await createHttpServer(
    {
      log,
      trust_proxy: config.trust_proxy,
      public_dir: resolvePublicDir(config.public_dir),
      validators: createValidators(),
      shortcut: createSnapshotShortcut({
        findKnownKey: keys.findKnown,
        peekSnapshot: live.snapshots.peek,
        headers: SNAPSHOT_HEADERS,
      }),
      ...(onReply && { onReply }),
      credentials: {
        findSession: sessions.find,
        findSdkKey: keys.find,
        findAccessToken: async () => null,
        admitSetup: createAdmitSetup({ db, clock }),
      },
      scopes: scopeLookups(db),
    },
    endpoints,
    {
      ...systemHandlers({ isReady }),
      ...apiDocsHandlers(),
      ...setupHandlers({ ...structure, passwords, sessions }),
      ...authHandlers({ ...structure, passwords, sessions, cookie_secure: config.cookie_secure }),
      ...projectHandlers(structure),
      ...environmentHandlers({ db }),
      ...sdkKeyHandlers(structure),
      ...flagHandlers({ db, writes }),
      ...segmentHandlers({ db, writes }),
      ...streamHandlers({ hub: live.hub, snapshots: live.snapshots, readable, rights: live.rights }),
    },
  )
  await live.start({ onAccessChanged: keys.clear, readable, review: access.review })
  const pruning = startPruning({ db, clock, log, pruneOthers: (now) => pruneLogins(db, now) })

  const close = async () => {
    is_draining = true
    await waitAtMost(DRAIN_MS, Promise.all([drainHttp(http), live.close(), pruning.close()]))
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
  const { changefeed } = live
  const keys = createKeyCredentials({ db, clock, log, changefeed, legacy_sdk_key, max_stale_auth_seconds })
  return {
    sessions,
    keys,
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
      validAccessTokens: async () => new Set<number>(),
    },
  }
}

function scopeLookups(db: Kysely<Database>): ScopeLookups {
  return {
    findProject: (project_id, user_id) => findProjectScope(db, project_id, user_id),
    findEnvironment: (environment_id, user_id) => findEnvironmentScope(db, environment_id, user_id),
    exists: {
      flag: ({ environment }, { key }) => flagExists(db, environment?.id ?? '', String(key)),
      segment: ({ environment }, { key }) => segmentExists(db, environment?.id ?? '', String(key)),
      sdk_key: ({ project_id }, { id }) => sdkKeyExists(db, project_id, Number(id)),
    },
  }
}

const portOf = (address: AddressInfo | string | null): number =>
  typeof address === 'object' && address !== null ? address.port : 0
