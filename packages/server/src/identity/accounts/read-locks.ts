import type { Kysely } from 'kysely'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/tables.ts'
import type { User } from '../../structure/users/index.ts'
import { accountKey, findLocks } from '../passwords/index.ts'

export interface LockDeps {
  readonly db: Kysely<Database>
  readonly clock: Clock
}

/** A user with the end of the lock of their logins. */
export type LockedUser = User & { readonly locked_until: string | null }

/** Adds the end of the longest lock to each user: of the account, or of one of their known browsers. */
export async function withLocks({ clock, db }: LockDeps, users: readonly User[]): Promise<LockedUser[]> {
  const of = { accountKeys: users.map(({ email }) => accountKey(email)), userIds: users.map(({ id }) => id) }
  const locks = await findLocks(db, of, clock.now().toISOString())
  const lastEnd = new Map<string | number, string>()
  for (const { email, locked_until, user_id } of locks) {
    const owner = user_id ?? email
    const known = lastEnd.get(owner)
    if (known === undefined || known < locked_until) lastEnd.set(owner, locked_until)
  }
  return users.map((user) => {
    const ends = [lastEnd.get(user.id), lastEnd.get(accountKey(user.email))].filter(
      (end) => end !== undefined,
    )
    return { ...user, locked_until: ends.sort().at(-1) ?? null }
  })
}
