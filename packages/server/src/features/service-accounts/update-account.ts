import type { ServiceAccount, ServiceAccountPatch } from '@burgee/contract'
import { type WorkspaceWriteDeps, writeWorkspace } from '../../changes/index.ts'
import type { UserActor } from '../../kernel/actor.ts'
import { notFound } from '../../kernel/refusal.ts'
import { deleteUserTokens } from '../access-tokens/index.ts'
import { withUniqueName } from './create-account.ts'
import { lockAccount, updateAccount as updateRow } from './queries.ts'
import { accountResource, toAuditedAccount } from './service-account.ts'

/**
 * Renames, disables or enables a service account. Disabling revokes its tokens and ends its streams on all
 * instances. Refuses with `not_found`, and with `conflict` when another account has the name.
 */
export async function updateAccount(
  deps: WorkspaceWriteDeps,
  actor: UserActor,
  { id, patch }: { readonly id: number; readonly patch: ServiceAccountPatch },
): Promise<ServiceAccount> {
  return withUniqueName(() =>
    writeWorkspace(deps, actor, async ({ now, tx }) => {
      const before = await lockAccount(tx, id)
      if (!before) throw notFound('service account')
      const { is_disabled = before.disabled_at !== null, name = before.name } = patch
      await updateRow(tx, id, { name, disabled_at: is_disabled ? (before.disabled_at ?? now) : null })
      const tokens_revoked = is_disabled ? await deleteUserTokens(tx, id) : 0
      const after = await lockAccount(tx, id)
      if (!after) throw notFound('service account')
      return {
        result: after,
        audit: {
          project_id: null,
          environment_id: null,
          action: 'update',
          before: toAuditedAccount(before),
          after: toAuditedAccount(after),
          metadata: {
            origin: 'direct',
            resource: accountResource(id),
            ...(patch.is_disabled === true && { tokens_revoked }),
          },
        },
        changesAccess: is_disabled,
      }
    }),
  )
}
