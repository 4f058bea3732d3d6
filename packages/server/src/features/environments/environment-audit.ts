import type { Environment } from '@burgee/contract'
import type { AuditAction, WorkspaceWriteOutcome } from '../../changes/index.ts'

interface EnvironmentChange {
  readonly project_id: string
  readonly action: AuditAction
  /** null when it was not there; at least one of the two is. */
  readonly before: Environment | null
  readonly after: Environment | null
}

/** What the audit log holds of a change to an environment. */
export function environmentAudit({
  action,
  after,
  before,
  project_id,
}: EnvironmentChange): WorkspaceWriteOutcome<unknown>['audit'] {
  const environment_id = (after ?? before)?.id ?? null
  return {
    project_id,
    environment_id,
    action,
    before: withoutEffect(before),
    after: withoutEffect(after),
    metadata: { origin: 'direct', resource: `environment:${environment_id}` },
  }
}

/** What the workspace makes of a setting is no part of the environment: it may change without it. */
function withoutEffect(environment: Environment | null) {
  if (!environment) return null
  const { keys_may_manage_effective: _, ...own } = environment
  return own
}
