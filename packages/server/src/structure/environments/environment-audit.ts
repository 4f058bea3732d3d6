import type { Environment } from '@burgee/contract'
import type { AuditAction, ClosedChain, WorkspaceAudit } from '../../changes/index.ts'

interface EnvironmentChange {
  readonly project_id: string
  readonly action: AuditAction
  /** Null when it did not exist. At least one of the two is present. */
  readonly before: Environment | null
  readonly after: Environment | null
  /** The ends of the chains that a deletion closes. */
  readonly closed_chains?: readonly ClosedChain[]
}

/** Builds the audit entry of a change to an environment. */
export function environmentAudit({
  action,
  after,
  before,
  closed_chains,
  project_id,
}: EnvironmentChange): WorkspaceAudit {
  const environment_id = (after ?? before)?.id ?? null
  return {
    project_id,
    environment_id,
    action,
    before: withoutEffect(before),
    after: withoutEffect(after),
    metadata: {
      origin: 'direct',
      resource: `environment:${environment_id}`,
      ...(closed_chains && { closed_chains }),
    },
    ...(closed_chains && { chain: 'workspace' as const }),
  }
}

/** Removes what also depends on the workspace, and may change without the environment. */
function withoutEffect(environment: Environment | null) {
  if (!environment) return null
  const { history_since: _h, keys_may_manage_effective: _, ...own } = environment
  return own
}
