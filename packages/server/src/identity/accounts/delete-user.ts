import { type WorkspaceWriteDeps, writeWorkspace } from '../../changes/index.ts'
import type { UserActor } from '../../kernel/actor.ts'
import { invalid, notFound } from '../../kernel/refusal.ts'
import { deleteUserRow, lockUser, toAuditedUser, userResource } from '../../structure/users/index.ts'

/**
 * Deletes a user with their sessions, tokens and memberships; their open streams end. Refuses with
 * `not_found`, and with `invalid` for the actor themselves and for the last admin: of two who delete each
 * other at the same time one stays.
 */
export async function deleteUser(
  deps: WorkspaceWriteDeps,
  actor: UserActor,
  { id }: { readonly id: number },
): Promise<void> {
  if (id === actor.user_id) throw invalid([{ path: '', message: 'You cannot delete yourself.' }])
  await writeWorkspace(deps, actor, async ({ tx }) => {
    const locked = await lockUser(tx, id)
    if (!locked) throw notFound('user')
    if (locked.user.role === 'admin' && locked.otherAdmins === 0) {
      throw invalid([{ path: '', message: 'The last admin cannot be deleted.' }])
    }
    await deleteUserRow(tx, id)
    return {
      result: undefined,
      audit: {
        project_id: null,
        environment_id: null,
        action: 'delete',
        before: toAuditedUser(locked.user),
        after: null,
        metadata: { origin: 'direct', resource: userResource(id) },
      },
      changesAccess: true,
    }
  })
}
