import type { Environment } from '@burgee/contract'

/**
 * True if every change to a flag that is there becomes a change request: promoting, archiving, restoring,
 * deleting and scheduling too, not only edits (docs/reference/governance.md#approval-scopes).
 */
export const needsApproval = (
  environment: Pick<Environment, 'require_approval' | 'approval_scope'> | undefined,
): boolean => environment?.require_approval === true && environment.approval_scope === 'all'
