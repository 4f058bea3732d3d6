import type {
  accessTokenEndpoints,
  authEndpoints,
  oneTimeLinkEndpoints,
  passkeyEndpoints,
  scimEndpoints,
  secondFactorEndpoints,
  serviceAccountEndpoints,
  sessionEndpoints,
  setupEndpoints,
  singleSignOnEndpoints,
  userEndpoints,
} from '@burgee/contract'
import type { Basics } from '../changes/index.ts'
import type { Actor, UserActor } from '../kernel/actor.ts'
import { type Address, type Domain, EMPTY, type PruneRow } from '../platform/composition.ts'
import { createBearerGuard } from '../platform/concurrency/bearer-guard.ts'
import type { PasswordHasher } from '../platform/crypto/password.ts'
import { createSessionSeal } from '../platform/crypto/sealed-session.ts'
import { deleteExpired } from '../platform/db/delete-expired.ts'
import { rowExists } from '../platform/db/row-exists.ts'
import type { EndpointHandlers } from '../platform/replies/endpoint-handler.ts'
import type { Config } from '../platform/settings/config.ts'
import type { KeyCredentials } from '../structure/sdk-keys/index.ts'
import {
  accessTokenHandlers,
  createAccessTokens,
  deleteUserTokens,
  revokeOtherTokens,
  userTokenExists,
} from './access-tokens/index.ts'
import { type UserHandlerDeps, userHandlers } from './accounts/index.ts'
import {
  authHandlers,
  createFirstSteps,
  createSessions,
  passkeyLoginHandlers,
  sessionHandlers,
} from './auth/index.ts'
import {
  countRefused,
  createFailureLog,
  measureLogins,
  observeLogins,
} from './authentication-failures/index.ts'
import { createGroupChanges } from './group-roles/index.ts'
import { createLinkSending, oneTimeLinkHandlers } from './one-time-links/index.ts'
import { createKnownDevices, createLoginLimits, pruneFailures } from './passwords/index.ts'
import { createScim, type Scim, scimSettingsHandlers } from './scim/index.ts'
import { createFactors, passkeyHandlers, secondFactorHandlers } from './second-factors/index.ts'
import { type ServiceAccountDeps, serviceAccountHandlers } from './service-accounts/index.ts'
import { createAdmitSetup, prepareSetup, setupHandlers } from './setup/index.ts'
import { createSingleSignOn, createTokenSeal, singleSignOnHandlers } from './single-sign-on/index.ts'

/** The keys and hashes of passwords, and functions that other domains implement. */
export interface GivenToIdentity
  extends Pick<UserHandlerDeps, 'settleSchedules' | 'listSchedules'>,
    Pick<ServiceAccountDeps, 'renameAuthor'> {
  readonly keys: KeyCredentials
  readonly passwords: PasswordHasher
}

type Credentials = ReturnType<typeof createCredentials>

interface Parts {
  readonly credentials: Credentials['find'] & { readonly admitSetup: ReturnType<typeof createAdmitSetup> }
  readonly scim: Scim
  readonly validSessions: Credentials['sessions']['validIds']
  readonly validAccessTokens: Credentials['tokens']['validIds']
  /** Called when groups give people other roles, on whatever instance. */
  readonly onGroupsChanged: () => void
  /** Prepares a fresh database for setup. `print` receives the path of the wizard. */
  prepareSetup(print: (path: string) => void): Promise<void>
}

type Endpoints = typeof setupEndpoints &
  typeof authEndpoints &
  typeof secondFactorEndpoints &
  typeof passkeyEndpoints &
  typeof singleSignOnEndpoints &
  typeof scimEndpoints &
  typeof sessionEndpoints &
  typeof oneTimeLinkEndpoints &
  typeof userEndpoints &
  typeof accessTokenEndpoints &
  typeof serviceAccountEndpoints

type Kinds = keyof ReturnType<typeof lookups>

/** Composes accounts, their logins and their tokens. */
export async function composeIdentity(
  config: Config,
  basics: Basics,
  given: GivenToIdentity,
): Promise<Domain<Parts, Endpoints, Kinds>> {
  const { passwords } = given
  const credentials = createCredentials(config, basics, given)
  const { failures, sessions, tokens } = credentials
  const groupChanges = createGroupChanges(basics)
  const links = await createLinkSending(config, basics)
  const scim = createScim({
    ...basics,
    ...given,
    groupChanges,
    publicUrl: config.publicUrl,
    rights: basics.accessChanges,
    endSessions: sessions.endAll,
    deleteTokens: deleteUserTokens,
  })
  const handlers = await listHandlers(config, basics, { ...given, credentials, groupChanges, links })
  return {
    ...EMPTY,
    parts: {
      credentials: { ...credentials.find, admitSetup: createAdmitSetup(basics) },
      scim,
      validSessions: (ids) => sessions.validIds(ids),
      validAccessTokens: tokens.validIds,
      onGroupsChanged: groupChanges.wake,
      prepareSetup: (print) => prepareSetup({ ...basics, passwords }, config, { print }),
    },
    handlers,
    lookups: lookups(basics),
    texts: {
      '/api/auth/factors/passkeys/:id': { table: 'passkeys', column: 'id', scope: ['user_id', 'actor'] },
      '/api/auth/me': { table: 'users', scope: ['id', 'actor'] },
      '/api/service-accounts/:id': { table: 'users', column: 'id' },
      '/api/users/:id': { table: 'users', column: 'id' },
      '/api/workspace': { table: 'workspace' },
    },
    prune: expiringRows(basics),
    async close() {
      const sent = groupChanges.close().then(links.close)
      await Promise.all([tokens.usesStored(), sessions.seenStored(), sent, failures.close()])
    },
  }
}

/** Creates what finds the actors of credentials. */
function createCredentials(
  { cookieSecure, legacySdkKey, rateLimits, sessionIdleMinutes }: Config,
  basics: Basics,
  { keys }: GivenToIdentity,
) {
  const loginMetrics = measureLogins(basics.metrics)
  const sessions = createSessions({
    ...basics,
    seal: createSessionSeal(basics.sessionSecrets),
    cookieSecure,
    metrics: loginMetrics,
    idleMinutes: sessionIdleMinutes,
  })
  const tokens = createAccessTokens(basics)
  const bearers = createBearerGuard(
    { clock: basics.clock, rights: basics.accessChanges },
    { unknownPerMinute: rateLimits.unknownBearersPerMinute, legacySdkKey },
  )
  return {
    loginMetrics,
    failures: createFailureLog(basics),
    sessions,
    tokens,
    find: {
      findSession: sessions.find,
      findSdkKey: (key: string, { network, purpose }: BearerOrigin) =>
        countRefused(loginMetrics, 'sdk_key', () =>
          bearers.find(key, network, (hash) => keys.find(key, purpose, hash)),
        ),
      findAccessToken: (token: string, { address, network }: BearerOrigin) =>
        countRefused(loginMetrics, 'token', () =>
          bearers.find(token, network, (hash) => tokens.find(hash, address)),
        ),
    },
  }
}

interface BearerOrigin {
  readonly purpose: Parameters<KeyCredentials['find']>[1]
  readonly address: () => string
  /** Returns the network that rate limits count. */
  readonly network: () => string
}

interface Composed extends GivenToIdentity {
  readonly credentials: Credentials
  readonly groupChanges: ReturnType<typeof createGroupChanges>
  readonly links: Awaited<ReturnType<typeof createLinkSending>>
}

/** Lists the handlers of people and how they sign in. */
async function listHandlers(
  config: Config,
  basics: Basics,
  { credentials, groupChanges, links, ...given }: Composed,
): Promise<EndpointHandlers<Endpoints>> {
  const { clock, sessionSecrets } = basics
  const { cookieSecure, hasPasswordLogin, passwordRules, publicUrl, tokenMaxDays } = config
  const { failures, loginMetrics, sessions, tokens } = credentials
  const singleSignOn = await createSingleSignOn({ clock, cookieSecure, sessionSecrets }, config.singleSignOn)
  const firstSteps = createFirstSteps({ clock, sessionSecrets, cookieSecure })
  const deps = {
    ...basics,
    ...given,
    // All checks of passwords share their limits.
    ...createLoginLimits({ clock }),
    cookieSecure,
    deleteTokens: deleteUserTokens,
    endAllSessions: sessions.endAll,
    endSessions: sessions.endOthers,
    factors: createFactors(config, basics),
    firstSteps,
    groupChanges,
    hasPasswordLogin,
    knownDevices: createKnownDevices({ ...basics, cookieSecure }),
    mailer: links.mailer,
    maxDays: tokenMaxDays,
    passwordRules,
    publicUrl,
    resets: links.resets,
    revokeOtherTokens,
    sessions,
    tokenMaxDays,
    tokens,
  }
  const handlers: EndpointHandlers<Endpoints> = {
    ...setupHandlers(deps),
    ...authHandlers(deps),
    ...secondFactorHandlers(deps),
    ...passkeyHandlers(deps),
    ...passkeyLoginHandlers(deps),
    ...singleSignOnHandlers({
      ...deps,
      tokenSeal: createTokenSeal(sessionSecrets),
      singleSignOn,
      hasPasswordReset: hasPasswordLogin && links.resets !== null,
    }),
    ...scimSettingsHandlers(deps),
    ...sessionHandlers(deps),
    ...userHandlers(deps),
    ...oneTimeLinkHandlers(deps),
    ...accessTokenHandlers(deps),
    ...serviceAccountHandlers(deps),
  }
  const observed = {
    failures,
    loginMetrics,
    userOfStep: (cookie: string | undefined) => firstSteps.read(cookie)?.userId ?? null,
    linkedEmail: (cookie: string | undefined) => singleSignOn?.links.read(cookie)?.email ?? null,
  }
  return observeLogins(observed, handlers)
}

const lookups = ({ db }: Basics) => ({
  group_mapping: ({ params }: Address) => rowExists(db, 'group_mappings', { id: Number(params.id) }),
  user: ({ params }: Address) => rowExists(db, 'users', { id: Number(params.id), kind: 'person' }),
  access_token: ({ actor, params }: Address) =>
    rowExists(db, 'access_tokens', { id: Number(params.id), ...ownOf(actor) }),
  user_token: ({ params }: Address) =>
    userTokenExists(db, { user_id: Number(params.id), id: Number(params.token_id), kind: 'person' }),
  service_account: ({ params }: Address) =>
    rowExists(db, 'users', { id: Number(params.id), kind: 'service_account' }),
  service_account_token: ({ params }: Address) =>
    userTokenExists(db, { user_id: Number(params.id), id: Number(params.token_id), kind: 'service_account' }),
  session: ({ actor, params }: Address) =>
    rowExists(db, 'sessions', { id: String(params.id), ...ownOf(actor) }),
  user_session: ({ params }: Address) =>
    rowExists(db, 'sessions', { id: String(params.session_id), user_id: Number(params.id) }),
  passkey: ({ actor, params }: Address) =>
    rowExists(db, 'passkeys', { id: Number(params.id), ...ownOf(actor) }),
})

/** A user may know of their own things only; others, who have none, are refused by their access. */
const ownOf = (actor: Actor | null): { user_id?: UserActor['user_id'] } =>
  actor?.kind === 'user' ? { user_id: actor.user_id } : {}

const expiringRows = ({ db }: Basics): PruneRow[] => [
  { name: 'sessions', remove: (now, rows) => deleteExpired(db, 'sessions', now, rows) },
  { name: 'challenges', remove: (now, rows) => deleteExpired(db, 'used_challenges', now, rows) },
  { name: 'login failures', remove: (now, rows) => pruneFailures(db, now, rows) },
  { name: 'login states', remove: (now, rows) => deleteExpired(db, 'used_login_states', now, rows) },
  { name: 'logout tokens', remove: (now, rows) => deleteExpired(db, 'used_logout_tokens', now, rows) },
  { name: 'one-time links', remove: (now, rows) => deleteExpired(db, 'one_time_links', now, rows) },
]
