import { type WorkspaceWriteDeps, writeWorkspace } from '../../changes/index.ts'
import type { UserActor } from '../../kernel/actor.ts'
import { notFound } from '../../kernel/refusal.ts'
import { deleteUserRow } from '../../structure/users/index.ts'
import { deleteUserTokens } from '../access-tokens/index.ts'
import { lockAccount } from './queries.ts'
import { accountResource, toAuditedAccount } from './service-account.ts'

/**
 * Deletes a service account with its tokens and memberships; its streams end. Refuses with `not_found`.
 */
export async function deleteAccount(deps: WorkspaceWriteDeps, actor: UserActor, id: number): Promise<void> {
  await writeWorkspace(deps, actor, async ({ tx }) => {
    const before = await lockAccount(tx, id)
    if (!before) throw notFound('service account')
    const ended = await deleteUserTokens(tx, id)
    await deleteUserRow(tx, id)
    return {
      result: undefined,
      audit: {
        project_id: null,
        environment_id: null,
        action: 'delete',
        before: toAuditedAccount(before),
        after: null,
        metadata: { origin: 'direct', resource: accountResource(id), ...ended },
      },
      changesAccess: true,
    }
  })
}
