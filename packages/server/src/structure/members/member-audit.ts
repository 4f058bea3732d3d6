import type { Member } from '@burgee/contract'
import type { AuditAction, WorkspaceWriteOutcome } from '../../changes/index.ts'

interface MemberChange {
  readonly project_id: string
  readonly action: AuditAction
  /** Null when the user was not a member. At least one of the two is present. */
  readonly before: Member | null
  readonly after: Member | null
}

/** Builds the audit entry of a change to a membership. */
export function memberAudit({
  action,
  after,
  before,
  project_id,
}: MemberChange): WorkspaceWriteOutcome<unknown>['audit'] {
  return {
    project_id,
    environment_id: null,
    action,
    before,
    after,
    metadata: { origin: 'direct', resource: `member:${(after ?? before)?.user_id}` },
  }
}
