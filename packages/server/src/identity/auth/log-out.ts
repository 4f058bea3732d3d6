import type { Kysely } from 'kysely'
import { bumpAccessRevision } from '../../changes/index.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Bus } from '../../platform/bus/bus.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/tables.ts'
import { recordAuthentication } from './record-authentication.ts'
import { deleteSession } from './session-queries.ts'

interface LogOutDeps {
  readonly db: Kysely<Database>
  readonly bus: Bus
  readonly clock: Clock
  /** Applies the change on this instance immediately: open streams of the session end. */
  readonly onAccessChanged: () => void
}

/** Ends the caller's session on all instances. A key or token has none and does not change. */
export async function logOut(
  { bus, clock, db, onAccessChanged }: LogOutDeps,
  actor: Actor,
  userAgent?: string,
): Promise<void> {
  if (actor.kind !== 'user' || actor.credential.kind !== 'session') return
  const { address, email, request_id, user_id } = actor
  const { sessionId } = actor.credential
  await db.transaction().execute(async (tx) => {
    await deleteSession(tx, sessionId)
    await recordAuthentication(tx, {
      action: 'auth.logout',
      ...{ user_id, email, address, request_id, userAgent },
      credential: { kind: 'session', id: sessionId },
      now: clock.now().toISOString(),
    })
    await bumpAccessRevision(tx)
  })
  bus.publish({ kind: 'revocations' })
  onAccessChanged()
}
