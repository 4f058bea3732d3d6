import type { Environment } from '@burgee/contract'
import type { Permission } from './assess-access.ts'
import { needsApproval } from './needs-approval.ts'

interface Circumstances {
  /** The environments of the write. */
  readonly environments: readonly Pick<Environment, 'name' | 'require_approval' | 'approval_scope'>[]
  readonly isWorkspaceAdmin: boolean
}

/**
 * The permission to override invariants, for a person with this permission to change them. Where every change
 * needs approval, the server allows it to workspace admins only.
 */
export function assessOverride(
  permission: Permission,
  { environments, isWorkspaceAdmin }: Circumstances,
): Permission {
  const guarded = environments.find(needsApproval)
  if (!permission.isAllowed || isWorkspaceAdmin || !guarded) return permission
  return {
    isAllowed: false,
    reason: `Every change needs approval in ${guarded.name}. Only a workspace admin can override invariants there.`,
    giverProject: '',
  }
}
