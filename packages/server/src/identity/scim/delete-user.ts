import { writeWorkspace } from '../../changes/index.ts'
import { lockUser, toAuditedUser } from '../../structure/users/index.ts'
import { setDisabledAt } from '../accounts/index.ts'
import { grantPerson } from '../group-roles/index.ts'
import { requireManaged } from './save-user.ts'
import { IN_WORKSPACE, type ScimContext, type ScimDeps } from './scim-context.ts'
import { lastAdmin, noResource } from './scim-refused.ts'
import { markDeleted } from './user-queries.ts'

/**
 * Deletes a user for SCIM: the account is disabled, is in no group and loses what groups gave. A workspace
 * admin can delete the account for good. Refuses for the last admin.
 */
export async function deleteUser(deps: ScimDeps, { author }: ScimContext, id: number): Promise<void> {
  await writeWorkspace(deps, author, async ({ now, tx }) => {
    const locked = await lockUser(tx, id)
    if (!locked) throw noResource('user', String(id))
    const { otherAdmins, user } = locked
    const managed = await requireManaged(tx, id)
    if (user.role === 'admin' && user.disabled_at === null && otherAdmins === 0) throw lastAdmin('delete')
    const isEnabled = user.disabled_at === null
    const disabled = isEnabled ? await setDisabledAt(tx, id, now) : user
    const sessions_ended = await deps.endSessions(tx, id)
    const ended = await deps.deleteTokens(tx, id)
    const disabled_at = isEnabled ? now : managed.scim_disabled_at
    await markDeleted(tx, { user_id: id, disabled_at, now })
    const granted = await grantPerson(tx, { id, groups: [] }, now)
    const metadata = { origin: 'direct', resource: `user:${id}`, by: 'scim', scim: 'deleted' } as const
    const entry = {
      ...IN_WORKSPACE,
      action: 'update',
      before: toAuditedUser(user),
      after: toAuditedUser(disabled),
      metadata: { ...metadata, sessions_ended, ...ended },
    } as const
    return { result: undefined, audit: [entry, ...(granted?.audit ?? [])], changesAccess: true }
  })
}
