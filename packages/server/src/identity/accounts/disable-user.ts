import type { DisableInput } from '@burgee/contract'
import type { Transaction } from 'kysely'
import { type WorkspaceWriteDeps, writeWorkspace } from '../../changes/index.ts'
import type { UserActor } from '../../kernel/actor.ts'
import type { EndedTokens } from '../../kernel/ended-tokens.ts'
import { invalid, notFound } from '../../kernel/refusal.ts'
import type { Database } from '../../platform/db/tables.ts'
import { lockUser, toAuditedUser, type User, userResource } from '../../structure/users/index.ts'
import { setDisabledAt } from './queries.ts'

export interface DisableUserDeps extends WorkspaceWriteDeps {
  /** Ends the user's sessions, except the one that the actor uses. Returns their number. */
  readonly endSessions: (tx: Transaction<Database>, user_id: number, actor: UserActor) => Promise<number>
  /** Deletes the user's tokens. Returns what the audit entry states of them. */
  readonly deleteTokens: (tx: Transaction<Database>, user_id: number) => Promise<EndedTokens>
  /** Withdraws the user's pending scheduled changes, or only counts them. */
  readonly settleSchedules: (
    actor: UserActor,
    email: string,
    wanted: 'keep' | 'cancel',
  ) => Promise<{ readonly kept: number; readonly cancelled: number }>
}

interface Disabled {
  readonly user: User
  readonly schedules: { readonly kept: number; readonly cancelled: number }
}

/**
 * Disables a user: their sessions, tokens and streams end at once on all instances, and they cannot sign in.
 * Scheduled changes are withdrawn afterwards, each by itself. Refuses with `not_found`, and with `invalid`
 * for the actor and for the last admin: of two who disable each other at the same time one stays.
 */
export async function disableUser(
  deps: DisableUserDeps,
  actor: UserActor,
  { id, schedules = 'keep' }: DisableInput & { readonly id: number },
): Promise<Disabled> {
  if (id === actor.user_id) throw invalid([{ path: '', message: 'You cannot disable yourself.' }])
  const user = await writeWorkspace(deps, actor, async ({ now, tx }) => {
    const locked = await lockUser(tx, id)
    if (!locked) throw notFound('user')
    if (locked.user.role === 'admin' && locked.otherAdmins === 0) {
      throw invalid([
        { path: '', message: 'The last admin cannot be disabled. Make another user admin first.' },
      ])
    }
    const user = locked.user.disabled_at === null ? await setDisabledAt(tx, id, now) : locked.user
    const sessions_ended = await deps.endSessions(tx, id, actor)
    const ended = await deps.deleteTokens(tx, id)
    const metadata = { origin: 'direct', resource: userResource(id), sessions_ended, ...ended } as const
    return {
      result: user,
      audit: { ...IN_WORKSPACE, before: toAuditedUser(locked.user), after: toAuditedUser(user), metadata },
      changesAccess: true,
    }
  })
  return { user, schedules: await deps.settleSchedules(actor, user.email, schedules) }
}

/** Enables a disabled user. Refuses with `not_found`. */
export async function enableUser(
  deps: WorkspaceWriteDeps,
  actor: UserActor,
  { id }: { readonly id: number },
): Promise<User> {
  return writeWorkspace(deps, actor, async ({ tx }) => {
    const locked = await lockUser(tx, id)
    if (!locked) throw notFound('user')
    const user = await setDisabledAt(tx, id, null)
    const metadata = { origin: 'direct', resource: userResource(id) } as const
    return {
      result: user,
      audit: { ...IN_WORKSPACE, before: toAuditedUser(locked.user), after: toAuditedUser(user), metadata },
      changesAccess: false,
    }
  })
}

const IN_WORKSPACE = { project_id: null, environment_id: null, action: 'update' } as const
