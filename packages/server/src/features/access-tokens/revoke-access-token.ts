import { type WorkspaceWriteDeps, writeWorkspace } from '../../changes/index.ts'
import type { UserActor } from '../../kernel/actor.ts'
import { notFound } from '../../kernel/refusal.ts'
import { deleteAccessTokenRow } from './queries.ts'

interface OwnedToken {
  readonly id: number
  readonly user_id: number
  /** The owner as the audit log names it; a person unless given. */
  readonly resource?: string
}

/**
 * Revokes a token of a user, immediately on all instances. Refuses with `not_found`, also for a token of
 * another user.
 */
export async function revokeAccessToken(
  deps: WorkspaceWriteDeps,
  actor: UserActor,
  { id, resource, user_id }: OwnedToken,
): Promise<void> {
  await writeWorkspace(deps, actor, async ({ tx }) => {
    const revoked = await deleteAccessTokenRow(tx, { id, user_id })
    if (!revoked) throw notFound('personal access token')
    return {
      result: undefined,
      audit: {
        project_id: null,
        environment_id: null,
        action: 'delete',
        before: revoked,
        after: null,
        metadata: {
          origin: 'direct',
          resource: `access_token:${id}`,
          ...(user_id !== actor.user_id && { user: resource ?? `user:${user_id}` }),
        },
      },
      changesAccess: true,
    }
  })
}
