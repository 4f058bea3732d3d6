import type { User } from '../../structure/users/index.ts'
import { findLoginWays, type LoginWays } from './login-ways-queries.ts'
import { type LockDeps, withLocks } from './read-locks.ts'

/** A user as workspace admins see them, with the lock of their logins. */
export type ShownUser = User & LoginWays & { readonly locked_until: string | null }

/** Adds what only workspace admins see of users: the ways to sign in, and the lock of logins. */
export async function showUsers(deps: LockDeps, users: readonly User[]): Promise<ShownUser[]> {
  const ids = users.map(({ id }) => id)
  const [ways, locked] = [await findLoginWays(deps.db, ids), await withLocks(deps, users)]
  return locked.map((user) => ({ ...user, ...(ways.get(user.id) ?? NONE) }))
}

export async function showUser(deps: LockDeps, user: User): Promise<ShownUser> {
  const [shown] = await showUsers(deps, [user])
  return shown ?? { ...user, ...NONE, locked_until: null }
}

/** The ways of a user who was deleted meanwhile. */
const NONE = { has_password: false, is_linked: false, second_factors: [] }
