import type { CustomRole } from '@burgee/contract'
import type { AuditAction, WorkspaceAudit } from '../../changes/index.ts'

interface RoleChange {
  readonly action: AuditAction
  /** Null when the role did not exist. At least one of the two is present. */
  readonly before: CustomRole | null
  readonly after: CustomRole | null
}

/** Builds the audit entry of a change to a role. */
export const roleAudit = ({ action, after, before }: RoleChange): WorkspaceAudit => ({
  project_id: null,
  environment_id: null,
  action,
  before,
  after,
  metadata: { origin: 'direct', resource: `role:${(after ?? before)?.key}` },
})
