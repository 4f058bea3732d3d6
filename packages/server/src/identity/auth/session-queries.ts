import type { Session } from '@burgee/contract'
import { type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import type { Database, LoginMethod, Role } from '../../platform/db/tables.ts'
import { secondFactorDueAt } from '../second-factors/index.ts'

interface NewSession {
  readonly id: string
  readonly user_id: number
  readonly created_at: string
  readonly expires_at: string
  readonly authenticated_at: string
  readonly last_seen_at: string
  readonly method: LoginMethod
  readonly address: string | null
  readonly user_agent: string | null
}

/** Stores a session and returns the e-mail of its user. */
export async function insertSession(db: Kysely<Database>, session: NewSession): Promise<string> {
  const { email } = await db
    .insertInto('sessions')
    .values(session)
    .returning(sql<string>`(select u.email from users u where u.id = sessions.user_id)`.as('email'))
    .executeTakeFirstOrThrow()
  return email
}

/** The times that decide whether a session lives, ISO 8601 in UTC. */
export interface SessionMoment {
  readonly now: string
  /** A session that was last seen before this has ended; null without a limit. */
  readonly seenAfter: string | null
}

export interface SessionUser {
  readonly user_id: number
  readonly name: string
  readonly email: string
  readonly role: Role
  readonly authenticated_at: string
  readonly last_seen_at: string
  readonly must_enroll: boolean
}

/** Returns the current user of a session; undefined when it has ended or the user is disabled. */
export async function findSessionUser(
  db: Kysely<Database>,
  sessionId: string,
  { now, seenAfter }: SessionMoment,
): Promise<SessionUser | undefined> {
  return db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .innerJoin('workspace', (join) => join.onTrue())
    .select(mustEnroll(now).as('must_enroll'))
    .select([
      'users.id as user_id',
      'users.name',
      'users.email',
      'users.role',
      'sessions.authenticated_at',
      'sessions.last_seen_at',
    ])
    .where('sessions.id', '=', sessionId)
    .where('sessions.expires_at', '>', now)
    .where('users.disabled_at', 'is', null)
    .$if(seenAfter !== null, (query) => query.where('sessions.last_seen_at', '>', seenAfter))
    .executeTakeFirst()
}

/** True when only enrollment is open to a session. The provider of single sign-on requests the factors. */
const mustEnroll = (now: string) =>
  sql<boolean>`(sessions.method <> 'sso' and coalesce(${secondFactorDueAt()} <= ${now}::timestamptz, false))`

/**
 * Returns those of the given sessions that have not ended, and whose user is enabled and need not add a
 * second factor first.
 */
export async function findLiveSessions(
  db: Kysely<Database>,
  sessionIds: readonly string[],
  { now, seenAfter }: SessionMoment,
): Promise<string[]> {
  const rows = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .innerJoin('workspace', (join) => join.onTrue())
    .select('sessions.id')
    .where(mustEnroll(now), '=', false)
    .where('sessions.id', '=', sql<string>`any(${sessionIds}::uuid[])`)
    .where('sessions.expires_at', '>', now)
    .where('users.disabled_at', 'is', null)
    .$if(seenAfter !== null, (query) => query.where('sessions.last_seen_at', '>', seenAfter))
    .execute()
  return rows.map(({ id }) => id)
}

/** Ends a session, and the one that has replaced it. */
export async function deleteSession(tx: Transaction<Database>, sessionId: string): Promise<void> {
  await deleteChain(tx, sessionId)
}

/**
 * Ends all sessions of a user except one and its successors; null ends all. Returns the number of those that
 * had no successor.
 */
export async function deleteUserSessions(
  tx: Transaction<Database>,
  user_id: number,
  sparedId: string | null,
): Promise<number> {
  const spared = sparedId === null ? [] : await lockChain(tx, sparedId)
  let ended = 0
  for (;;) {
    let deletion = tx.deleteFrom('sessions').where('user_id', '=', user_id)
    if (spared.length > 0) deletion = deletion.where('id', 'not in', spared)
    const rows = await deletion.returning('successor_id').execute()
    ended += rows.filter(({ successor_id }) => successor_id === null).length
    // A session that was replaced while its row was awaited has a successor, which the next statement sees.
    if (rows.length === 0) return ended
  }
}

/** Locks a session and those that have replaced it, one after another. Returns their ids. */
async function lockChain(tx: Transaction<Database>, id: string): Promise<string[]> {
  const ids: string[] = []
  for (let next: string | null = id; next !== null; ) {
    ids.push(next)
    const found: { successor_id: string | null } | undefined = await tx
      .selectFrom('sessions')
      .select('successor_id')
      .where('id', '=', next)
      .forUpdate()
      .executeTakeFirst()
    next = found?.successor_id ?? null
  }
  return ids
}

/** Deletes a session and those that have replaced it. Deleting the last one deletes its predecessors. */
async function deleteChain(tx: Transaction<Database>, id: string): Promise<void> {
  await tx
    .deleteFrom('sessions')
    .where('id', 'in', await lockChain(tx, id))
    .execute()
}

export type ListedSession = Omit<Session, 'is_current'>

const SHOWN = [
  'id',
  'method',
  'address',
  'user_agent',
  'created_at',
  'authenticated_at',
  'last_seen_at',
  'expires_at',
] as const

/** Returns the sessions of a user that have not ended, the oldest first, without replaced ones. */
export async function listUserSessions(
  db: Kysely<Database>,
  user_id: number,
  { now, seenAfter }: SessionMoment,
): Promise<ListedSession[]> {
  return db
    .selectFrom('sessions')
    .select(SHOWN)
    .where('user_id', '=', user_id)
    .where('successor_id', 'is', null)
    .where('expires_at', '>', now)
    .$if(seenAfter !== null, (query) => query.where('last_seen_at', '>', seenAfter))
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/** Deletes and returns a session of the user, with its successors; undefined when there is none. */
export async function deleteSessionOf(
  tx: Transaction<Database>,
  { id, user_id }: { readonly id: string; readonly user_id: number },
): Promise<ListedSession | undefined> {
  const found = await tx
    .selectFrom('sessions')
    .select(SHOWN)
    .where('id', '=', id)
    .where('user_id', '=', user_id)
    .forUpdate()
    .executeTakeFirst()
  if (found) await deleteChain(tx, id)
  return found
}

type StoredSession = Selectable<Database['sessions']>

/** Returns a session and locks it until the transaction ends; undefined when it was replaced or has ended. */
export async function lockSession(
  tx: Transaction<Database>,
  id: string,
  now: string,
): Promise<StoredSession | undefined> {
  return tx
    .selectFrom('sessions')
    .selectAll()
    .where('id', '=', id)
    .where('successor_id', 'is', null)
    .where('expires_at', '>', now)
    .forUpdate()
    .executeTakeFirst()
}

/** Ends a session at the given time, with another one in its place. */
export async function replaceSession(
  tx: Transaction<Database>,
  { expires_at, id, successor_id }: Pick<StoredSession, 'id' | 'expires_at' | 'successor_id'>,
): Promise<void> {
  await tx.updateTable('sessions').set({ expires_at, successor_id }).where('id', '=', id).execute()
}

/** The last request of a session. */
export interface SeenSession {
  readonly id: string
  readonly address: string | null
  readonly at: string
}

/**
 * Stores when and from where sessions were last seen. Rows that another instance is writing or ending are
 * skipped, so nothing waits for them.
 */
export async function storeSeen(db: Kysely<Database>, seen: readonly SeenSession[]): Promise<void> {
  await sql`
    update sessions set last_seen_at = seen.at, address = coalesce(seen.address, sessions.address)
    from unnest(
      ${seen.map(({ id }) => id)}::uuid[],
      ${seen.map(({ address }) => address)}::text[],
      ${seen.map(({ at }) => at)}::timestamptz[]
    ) as seen (id, address, at)
    where sessions.id = seen.id and sessions.last_seen_at < seen.at
      and sessions.id in (
        select id from sessions where id = any(${seen.map(({ id }) => id)}::uuid[]) for no key update skip locked
      )
  `.execute(db)
}
