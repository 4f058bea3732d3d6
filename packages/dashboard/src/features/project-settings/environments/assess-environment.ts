import type { Environment } from '@burgee/contract'
import type { Permission } from '../../../shared/scope/use-permissions.ts'

interface Circumstances {
  readonly environment: Pick<Environment, 'is_default' | 'require_approval' | 'approval_scope'>
  readonly isWorkspaceAdmin: boolean
}

/**
 * The permission to turn approval off, for a person with this permission. Full approval binds project admins
 * too.
 */
export function assessOpening(permission: Permission, circumstances: Circumstances): Permission {
  if (!permission.isAllowed || !needsApprovalAgainst(circumstances)) return permission
  return {
    isAllowed: false,
    reason: 'Every change needs approval here. Only a workspace admin may end that.',
  }
}

/**
 * The permission to delete the environment, for a person with this permission. Reasons that bind everyone
 * come first.
 */
export function assessDeletion(
  permission: Permission,
  { isLast, ...circumstances }: Circumstances & { readonly isLast: boolean },
): Permission {
  if (!permission.isAllowed) return permission
  if (isLast) return refused('A project keeps at least one environment.')
  if (circumstances.environment.is_default) {
    return refused('This is the default environment. Make another one the default first.')
  }
  if (needsApprovalAgainst(circumstances)) {
    return refused('Changes need approval here. Only a workspace admin may delete it.')
  }
  return permission
}

const refused = (reason: string): Permission => ({ isAllowed: false, reason })

const needsApprovalAgainst = ({ environment, isWorkspaceAdmin }: Circumstances): boolean =>
  environment.require_approval && environment.approval_scope === 'all' && !isWorkspaceAdmin
