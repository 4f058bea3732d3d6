import type { Experiment } from '@burgee/contract'
import type { AuditAction, WorkspaceWriteOutcome } from '../../changes/index.ts'

interface ExperimentChange {
  readonly project_id: string
  readonly action: AuditAction
  /** Null when there was none. At least one of the two is present. */
  readonly before: Experiment | null
  readonly after: Experiment | null
}

/** Builds the audit entry of a change to an experiment. */
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
