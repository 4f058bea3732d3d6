import { type WorkspaceWriteDeps, writeWorkspace } from '../../changes/index.ts'
import type { UserActor } from '../../kernel/actor.ts'
import { notFound } from '../../kernel/refusal.ts'
import { deleteSessionOf, type ListedSession } from './session-queries.ts'
import type { Sessions } from './sessions.ts'

/**
 * Ends a session of a user, immediately on all instances. Refuses with `not_found`, also for a session of
 * another user.
 */
export async function endSession(
  deps: WorkspaceWriteDeps,
  actor: UserActor,
  of: { readonly id: string; readonly user_id: number },
): Promise<void> {
  await writeWorkspace(deps, actor, async ({ tx }) => {
    const ended = await deleteSessionOf(tx, of)
    if (!ended) throw notFound('session')
    return {
      result: undefined,
      audit: {
        project_id: null,
        environment_id: null,
        action: 'delete',
        before: toAuditedSession(ended),
        after: null,
        metadata: { origin: 'direct', resource: `session:${of.id}`, user: `user:${of.user_id}` },
      },
      changesAccess: true,
    }
  })
}

/** Ends all sessions of a user except that of the actor. */
export async function endSessions(
  deps: WorkspaceWriteDeps & { readonly sessions: Pick<Sessions, 'endOthers'> },
  actor: UserActor,
  user_id: number,
): Promise<void> {
  await writeWorkspace(deps, actor, async ({ tx }) => {
    const ended = await deps.sessions.endOthers(tx, user_id, actor)
    return {
      result: undefined,
      audit: {
        project_id: null,
        environment_id: null,
        action: 'update',
        before: null,
        after: null,
        metadata: { origin: 'direct', resource: `user:${user_id}`, sessions_ended: ended },
      },
      changesAccess: ended > 0,
    }
  })
}

const toAuditedSession = ({ address, created_at, method, user_agent }: ListedSession) => ({
  method,
  address,
  user_agent,
  created_at,
})
