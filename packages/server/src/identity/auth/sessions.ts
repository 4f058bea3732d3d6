import { SESSION_LIFETIME_MS, USER_AGENT_MAX_LENGTH } from '@burgee/contract'
import type { Kysely, Transaction } from 'kysely'
import type { UserActor } from '../../kernel/actor.ts'
import { unavailable } from '../../kernel/refusal.ts'
import { sessionCookie } from '../../kernel/session-cookie.ts'
import type { Clock } from '../../platform/clock.ts'
import { createRecorder } from '../../platform/concurrency/record-later.ts'
import type { SessionSeal } from '../../platform/crypto/sealed-session.ts'
import type { Database, LoginMethod } from '../../platform/db/tables.ts'
import type { Log } from '../../platform/log/log.ts'
import { countSuccess, type LoginMetrics } from '../authentication-failures/index.ts'
import { moveProviderSession } from './provider-session-queries.ts'
import { recordAuthentication } from './record-authentication.ts'
import {
  deleteUserSessions,
  findLiveSessions,
  findSessionUser,
  insertSession,
  type ListedSession,
  listUserSessions,
  lockSession,
  replaceSession,
  type SeenSession,
  type SessionMoment,
  type SessionUser,
  storeSeen,
} from './session-queries.ts'

/** The precision of `last_seen_at`: a session in constant use costs one write in this time. */
const SEEN_RECORDED_EVERY_MS = 60_000
/** The time for which a replaced cookie stays valid, for requests that were sent with it. */
const REPLACED_VALID_MS = 10_000

/** The request that signs in, as the list of sessions shows it. */
export interface LoginRequest {
  readonly address: string
  readonly userAgent: string | undefined
}

/** The result of a login of any kind. `method` is the last proof that the person gave. */
interface NewLogin {
  readonly userId: number
  readonly method: LoginMethod
  readonly request: LoginRequest
  /** The name of the passkey that was the proof. */
  readonly passkey?: string
  /** The time of that proof, where it was given to an identity provider; now by default. */
  readonly authenticatedAt?: Date
}

/** A new session. `cookie` is the value of a Set-Cookie header. */
interface StartedSession {
  readonly sessionId: string
  readonly cookie: string
}

/**
 * Browser sessions. The encrypted cookie contains only the id of a row, which must exist
 * (docs/reference/access.md#sessions). The id alone gives nothing, so it may be shown.
 */
export interface Sessions {
  /** Starts a session of seven days. */
  start(tx: Transaction<Database>, login: NewLogin): Promise<StartedSession>
  /**
   * Sets the time at which the person last proved themselves to now, and replaces the session's cookie: a
   * copy of the earlier one gains nothing. Refuses with `unavailable` when the session was just replaced or
   * ended.
   */
  confirmAuthentication(
    tx: Transaction<Database>,
    sessionId: string,
    login: Omit<NewLogin, 'userId'>,
  ): Promise<StartedSession>
  /**
   * Returns the user of a cookie's value, read on each call; null when it is forged, foreign, expired or
   * ended, or the user is disabled. Records when the session was last seen, and from where.
   */
  find(sealed: string, address: () => string): Promise<UserActor | null>
  /** Returns the user's sessions, with the last use of each. */
  list(user_id: number): Promise<ListedSession[]>
  /** Ends all sessions of a user. Returns their number. */
  endAll(tx: Transaction<Database>, user_id: number): Promise<number>
  /** Ends a user's sessions, except the one that the actor uses. Returns their number. */
  endOthers(tx: Transaction<Database>, user_id: number, actor: UserActor): Promise<number>
  /** Returns those of the given session ids that have not ended. A transaction reads with its connection. */
  validIds(ids: readonly string[], executor?: Kysely<Database>): Promise<Set<string>>
  /**
   * Resolves when what was recorded so far is stored: before it is shown, and before the database is closed.
   */
  seenStored(): Promise<void>
}

interface SessionDeps {
  readonly db: Kysely<Database>
  readonly clock: Clock
  readonly log: Log
  readonly newId: () => string
  readonly seal: SessionSeal
  readonly cookieSecure: boolean
  readonly metrics: LoginMetrics
  /** The minutes without a request after which a session ends; null for no such limit. */
  readonly idleMinutes: number | null
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a factory whose functions share state
export function createSessions({
  clock,
  cookieSecure,
  db,
  idleMinutes,
  log,
  metrics,
  newId,
  seal,
}: SessionDeps): Sessions {
  const seen = createRecorder<string, SeenSession>({
    log,
    what: 'the last use of sessions',
    store: (recorded) => storeSeen(db, [...recorded.values()]),
  })
  const momentOf = (now: Date): SessionMoment => ({
    now: now.toISOString(),
    seenAfter: idleMinutes === null ? null : seenAfter(now, idleMinutes),
  })

  async function insert(tx: Transaction<Database>, login: NewLogin, lives: Lifetime) {
    const { authenticatedAt, method, request, userId } = login
    const id = newId()
    const now = clock.now()
    const email = await insertSession(tx, {
      id,
      user_id: userId,
      ...lives,
      authenticated_at: (authenticatedAt ?? now).toISOString(),
      last_seen_at: now.toISOString(),
      method,
      address: request.address,
      user_agent: request.userAgent?.slice(0, USER_AGENT_MAX_LENGTH) ?? null,
    })
    const expiresAt = new Date(lives.expires_at)
    const maxAgeSeconds = Math.floor((expiresAt.getTime() - now.getTime()) / 1000)
    const cookie = sessionCookie(await seal.seal(id, expiresAt), { secure: cookieSecure, maxAgeSeconds })
    return { sessionId: id, cookie, email }
  }

  /** Stores the proof in the audit log. `login.method` is the proof itself. */
  async function record(
    tx: Transaction<Database>,
    what: 'login' | 'reauthentication',
    { email, login, sessionId }: { email: string; login: NewLogin; sessionId: string },
  ): Promise<void> {
    const { method, passkey, request, userId } = login
    countSuccess(metrics, what, method)
    await recordAuthentication(tx, {
      action: what === 'login' ? 'auth.login' : 'auth.reauthenticate',
      ...{ user_id: userId, email, details: { method, ...(passkey !== undefined && { name: passkey }) } },
      address: request.address,
      userAgent: request.userAgent,
      credential: { kind: 'session', id: sessionId },
      now: clock.now().toISOString(),
    })
  }

  return {
    async start(tx, login) {
      const now = clock.now()
      const expires_at = new Date(now.getTime() + SESSION_LIFETIME_MS).toISOString()
      const { email, ...started } = await insert(tx, login, { created_at: now.toISOString(), expires_at })
      await record(tx, 'login', { email, login, sessionId: started.sessionId })
      return started
    },
    async confirmAuthentication(tx, sessionId, login) {
      const now = clock.now()
      const replaced = await lockSession(tx, sessionId, now.toISOString())
      if (!replaced) throw unavailable('The session has just been replaced or ended. Try again.')
      const { created_at, expires_at, user_id } = replaced
      const method = methodAfter(replaced.method, login.method)
      const of = { ...login, userId: user_id }
      const { email, ...next } = await insert(tx, { ...of, method }, { created_at, expires_at })
      await record(tx, 'reauthentication', { email, login: of, sessionId: next.sessionId })
      const graceEnd = new Date(Math.min(now.getTime() + REPLACED_VALID_MS, Date.parse(expires_at)))
      await replaceSession(tx, {
        id: sessionId,
        expires_at: graceEnd.toISOString(),
        successor_id: next.sessionId,
      })
      await moveProviderSession(tx, { from: sessionId, to: next.sessionId })
      return next
    },
    async find(sealed, address) {
      const now = clock.now()
      const sessionId = await seal.open(sealed, now)
      if (sessionId === null) return null
      const found = await findSessionUser(db, sessionId, momentOf(now))
      if (!found) return null
      if (now.getTime() - Date.parse(found.last_seen_at) >= SEEN_RECORDED_EVERY_MS) {
        seen.record(sessionId, { id: sessionId, address: address(), at: now.toISOString() })
      }
      return toActor(sessionId, found)
    },
    async list(user_id) {
      await seen.settled()
      return listUserSessions(db, user_id, momentOf(clock.now()))
    },
    endAll: (tx, user_id) => deleteUserSessions(tx, user_id, null),
    async endOthers(tx, user_id, { credential }) {
      return deleteUserSessions(tx, user_id, credential.kind === 'session' ? credential.sessionId : null)
    },
    async validIds(ids, executor = db) {
      if (ids.length === 0) return new Set()
      return new Set(await findLiveSessions(executor, ids, momentOf(clock.now())))
    },
    seenStored: seen.settled,
  }
}

/**
 * Returns the method of a session after a confirmation. The provider of single sign-on has requested the
 * factors of a session that began there, which another proof does not undo. A confirmation there does not
 * replace the factors of a session that began here.
 */
const methodAfter = (began: LoginMethod, confirmed: LoginMethod): LoginMethod =>
  began === 'sso' || confirmed === 'sso' ? began : confirmed

function toActor(
  sessionId: string,
  { authenticated_at, must_enroll, user_id, ...person }: SessionUser,
): UserActor {
  const { email, name, role } = person
  const credential = {
    kind: 'session',
    sessionId,
    authenticatedAt: authenticated_at,
    ...(must_enroll && { mustEnroll: true }),
  } as const
  return { kind: 'user', user_id, name, email, role, credential }
}

interface Lifetime {
  readonly created_at: string
  readonly expires_at: string
}

/** The last use is up to a minute later than the stored one, and a session must not end early. */
function seenAfter(now: Date, idleMinutes: number): string {
  return new Date(now.getTime() - idleMinutes * 60_000 - SEEN_RECORDED_EVERY_MS).toISOString()
}
