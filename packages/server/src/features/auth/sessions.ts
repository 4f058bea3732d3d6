import { SESSION_LIFETIME_MS } from '@burgee/contract'
import type { Kysely, Transaction } from 'kysely'
import type { UserActor } from '../../kernel/actor.ts'
import type { Clock } from '../../platform/clock.ts'
import type { SessionSeal } from '../../platform/crypto/sealed-session.ts'
import type { Database } from '../../platform/db/tables.ts'
import { deleteUserSessions, findLiveSessions, findSessionUser, insertSession } from './queries.ts'
import { sessionCookie } from './session-cookie.ts'

/**
 * Browser sessions. The encrypted cookie contains only the id of a row, which must exist
 * (docs/reference/access.md#login).
 */
export interface Sessions {
  /** Starts a session of seven days. `cookie` is the value of a Set-Cookie header. */
  start(executor: Kysely<Database>, user_id: number): Promise<{ cookie: string }>
  /**
   * Returns the user of a cookie's value, read on each call; null when it is forged, foreign, expired or
   * ended.
   */
  find(sealed: string): Promise<UserActor | null>
  /** Ends a user's sessions, except the one that the actor uses. */
  endOthers(tx: Transaction<Database>, user_id: number, actor: UserActor): Promise<void>
  /** Returns those of the given session ids that have not ended. */
  validIds(ids: readonly string[]): Promise<Set<string>>
}

interface SessionDeps {
  readonly db: Kysely<Database>
  readonly clock: Clock
  readonly newId: () => string
  readonly seal: SessionSeal
  readonly cookieSecure: boolean
}

export function createSessions({ clock, cookieSecure, db, newId, seal }: SessionDeps): Sessions {
  return {
    async start(executor, user_id) {
      const now = clock.now()
      const expires_at = new Date(now.getTime() + SESSION_LIFETIME_MS)
      const id = newId()
      await insertSession(executor, {
        id,
        user_id,
        created_at: now.toISOString(),
        expires_at: expires_at.toISOString(),
      })
      return { cookie: sessionCookie(await seal.seal(id, expires_at), cookieSecure) }
    },
    async find(sealed) {
      const now = clock.now()
      const sessionId = await seal.open(sealed, now)
      if (sessionId === null) return null
      const user = await findSessionUser(db, sessionId, now.toISOString())
      return user ? { kind: 'user', ...user, credential: { kind: 'session', sessionId } } : null
    },
    async endOthers(tx, user_id, { credential }) {
      await deleteUserSessions(tx, user_id, credential.kind === 'session' ? credential.sessionId : null)
    },
    async validIds(ids) {
      if (ids.length === 0) return new Set()
      return new Set(await findLiveSessions(db, ids, clock.now().toISOString()))
    },
  }
}
