import { type WorkspaceWriteDeps, writeWorkspace } from '../../changes/index.ts'
import type { UserActor } from '../../kernel/actor.ts'
import { notFound } from '../../kernel/refusal.ts'
import { lockUser, toAuditedUser, userResource } from '../../structure/users/index.ts'
import { accountKey, forgetFailures } from '../passwords/index.ts'

/** Ends the locks of a user's logins, from all sources. Refuses with `not_found`. */
export async function unlockUser(
  deps: WorkspaceWriteDeps,
  actor: UserActor,
  { id }: { readonly id: number },
): Promise<void> {
  await writeWorkspace(deps, actor, async ({ tx }) => {
    const locked = await lockUser(tx, id)
    if (!locked) throw notFound('user')
    const { user } = locked
    await forgetFailures(tx, { accountKey: accountKey(user.email), userId: id })
    return {
      result: undefined,
      audit: {
        project_id: null,
        environment_id: null,
        action: 'update',
        before: toAuditedUser(user),
        after: toAuditedUser(user),
        metadata: { origin: 'direct', resource: userResource(id), login_lock: 'ended' },
      },
      changesAccess: false,
    }
  })
}
