import type { Experiment } from '@burgee/contract'
import type { AuditAction, WorkspaceWriteOutcome } from '../../changes/index.ts'

interface ExperimentChange {
  readonly project_id: string
  readonly action: AuditAction
  /** null when there was none; at least one of the two is there. */
  readonly before: Experiment | null
  readonly after: Experiment | null
}

/** What the audit log holds of a change to an experiment. */
export function experimentAudit({
  action,
  after,
  before,
  project_id,
}: ExperimentChange): WorkspaceWriteOutcome<unknown>['audit'] {
  const experiment = after ?? before
  return {
    project_id,
    environment_id: experiment?.environment_id ?? null,
    action,
    before,
    after,
    metadata: { origin: 'direct', resource: `experiment:${experiment?.key}` },
  }
}
