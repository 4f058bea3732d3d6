import { type WorkspaceAudit, type WorkspaceWriteDeps, writeWorkspace } from '../../changes/index.ts'
import type { UserActor } from '../../kernel/actor.ts'
import { notFound } from '../../kernel/refusal.ts'
import { deleteTokenTree, type RevokedToken } from './token-tree-queries.ts'

interface OwnedToken {
  readonly id: number
  readonly user_id: number
}

/**
 * Revokes a token of a user with all that were created with it, immediately on all instances. Refuses with
 * `not_found`, also for a token of another user.
 */
export async function revokeAccessToken(
  deps: WorkspaceWriteDeps,
  actor: UserActor,
  token: OwnedToken,
): Promise<void> {
  await writeWorkspace(deps, actor, async ({ now, tx }) => {
    const revoked = await deleteTokenTree(tx, token)
    if (revoked.length === 0) throw notFound('personal access token')
    // Those that had expired have ended before, and may be many.
    const ended = revoked.filter(({ expires_at, id }) => id === token.id || !isPast(expires_at, now))
    return {
      result: undefined,
      audit: ended.map((each) => auditOf(each, { actor, becauseOf: each.id === token.id ? null : token.id })),
      changesAccess: true,
    }
  })
}

const isPast = (expires_at: string | null, now: string): boolean =>
  expires_at !== null && Date.parse(expires_at) <= Date.parse(now)

function auditOf(
  { is_service_account, user_id, ...token }: RevokedToken,
  { actor, becauseOf }: { readonly actor: UserActor; readonly becauseOf: number | null },
): WorkspaceAudit {
  return {
    project_id: null,
    environment_id: null,
    action: 'delete',
    before: token,
    after: null,
    metadata: {
      origin: 'direct',
      resource: `access_token:${token.id}`,
      ...(user_id !== actor.user_id && {
        user: is_service_account ? `service_account:${user_id}` : `user:${user_id}`,
      }),
      ...(becauseOf !== null && { revoked_with: `access_token:${becauseOf}` }),
    },
  }
}
