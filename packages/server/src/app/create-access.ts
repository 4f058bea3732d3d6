import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { BearerOrigin } from '../http/requests/authenticate.ts'
import { createAccessTokens } from '../identity/access-tokens/index.ts'
import { createFirstSteps, createSessions, STEP_COOKIE_PURPOSE } from '../identity/auth/index.ts'
import { countRefused, createFailureLog, measureLogins } from '../identity/authentication-failures/index.ts'
import { createKnownDevices, createLoginLimits, DEVICE_COOKIE_PURPOSE } from '../identity/passwords/index.ts'
import { createSingleSignOn, createTokenSeal } from '../identity/single-sign-on/index.ts'
import type { Clock } from '../platform/clock.ts'
import { createBearerGuard } from '../platform/concurrency/bearer-guard.ts'
import type { PasswordHasher } from '../platform/crypto/password.ts'
import { createSessionSeal } from '../platform/crypto/sealed-session.ts'
import { createTextSeal } from '../platform/crypto/sealed-text.ts'
import type { Database } from '../platform/db/tables.ts'
import type { Log } from '../platform/log/log.ts'
import type { Metrics } from '../platform/metrics/metrics.ts'
import type { Config } from '../platform/settings/config.ts'
import type { LiveFlags } from '../serving/stream/index.ts'
import {
  defaultEnvironmentOfOldestProject,
  findEnvironmentScope,
  readableEnvironments,
} from '../structure/environments/index.ts'
import { createKeyCredentials, type KeyUses } from '../structure/sdk-keys/index.ts'

/**
 * Creates what decides about access: sessions, SDK keys, passwords, and the notice to all instances that
 * rights have changed.
 */
export async function createAccess(
  { cookieSecure, legacySdkKey, maxStaleAuthSeconds, rateLimits, sessionIdleMinutes, singleSignOn }: Config,
  deps: {
    readonly db: Kysely<Database>
    readonly clock: Clock
    readonly log: Log
    readonly live: LiveFlags
    readonly keyUses: KeyUses
    readonly passwords: PasswordHasher
    readonly sessionSecrets: readonly string[]
    readonly metrics: Metrics
  },
) {
  const { clock, db, live, log } = deps
  const loginMetrics = measureLogins(deps.metrics)
  const seal = createSessionSeal(deps.sessionSecrets)
  const sessions = createSessions({
    ...{ db, clock, log, newId: randomUUID, seal, cookieSecure, metrics: loginMetrics },
    idleMinutes: sessionIdleMinutes,
  })
  const tokens = createAccessTokens({ db, clock, log })
  const { changefeed } = live
  let changedHere = 0
  const keys = createKeyCredentials({
    ...{ db, clock, log, changefeed, legacySdkKey, maxStaleAuthSeconds },
    uses: deps.keyUses,
  })
  /** Changes by this instance count before the changefeed has read them. */
  const rights = { generation: () => changedHere + live.rights.generation() }
  const bearers = createBearerGuard(
    { clock, rights },
    { unknownPerMinute: rateLimits.unknownBearersPerMinute, legacySdkKey: legacySdkKey },
  )
  return {
    loginMetrics,
    failures: createFailureLog({ db, clock, log }),
    sessions,
    keys,
    tokens,
    credentials: {
      findSession: sessions.find,
      findSdkKey: (key: string, { network, purpose }: BearerOrigin) =>
        countRefused(loginMetrics, 'sdk_key', () =>
          bearers.find(key, network, () => keys.find(key, purpose)),
        ),
      findAccessToken: (token: string, { address, network }: BearerOrigin) =>
        countRefused(loginMetrics, 'token', () =>
          bearers.find(token, network, () => tokens.find(token, address)),
        ),
    },
    singleSignOn: await createSingleSignOn(
      { clock, cookieSecure, sessionSecrets: deps.sessionSecrets },
      singleSignOn,
    ),
    tokenSeal: createTokenSeal(deps.sessionSecrets),
    /** All checks of passwords share their limits. */
    passwordLimits: createLoginLimits({ clock }),
    passwords: deps.passwords,
    knownDevices: createKnownDevices({
      newId: randomUUID,
      seal: createTextSeal(deps.sessionSecrets, DEVICE_COOKIE_PURPOSE),
      cookieSecure: cookieSecure,
    }),
    firstSteps: createFirstSteps({
      clock,
      seal: createTextSeal(deps.sessionSecrets, STEP_COOKIE_PURPOSE),
      cookieSecure: cookieSecure,
    }),
    onAccessChanged: () => {
      changedHere += 1
      keys.clear()
      changefeed.hintAccess()
    },
    rights,
    /** Finds the key of a ticket of OFREP. */
    findKeyById: keys.findById,
    readable: {
      byUser: (userIds: readonly number[]) => readableEnvironments(db, userIds),
      exists: async (environment_id: string) =>
        (await findEnvironmentScope(db, environment_id, null)) !== null,
    },
    review: {
      validSdkKeys: keys.validIds,
      validSessions: (ids: readonly string[]) => sessions.validIds(ids),
      validAccessTokens: tokens.validIds,
      legacyKeyEnvironment: async () => (await defaultEnvironmentOfOldestProject(db))?.environment_id ?? null,
    },
  }
}
