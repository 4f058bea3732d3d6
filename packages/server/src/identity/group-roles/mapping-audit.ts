import type { GroupMapping } from '@burgee/contract'
import type { AuditAction, WorkspaceAudit } from '../../changes/index.ts'

interface MappingChange {
  readonly action: AuditAction
  /** Null when the row did not exist. At least one of the two is present. */
  readonly before: GroupMapping | null
  readonly after: GroupMapping | null
}

/** Builds the audit entry of a change to the table of groups. */
export const mappingAudit = ({ action, after, before }: MappingChange): WorkspaceAudit => ({
  project_id: null,
  environment_id: null,
  action,
  before,
  after,
  metadata: { origin: 'direct', resource: `group_mapping:${(after ?? before)?.id}` },
})
