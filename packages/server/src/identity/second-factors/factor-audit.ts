import type { WorkspaceAudit } from '../../changes/index.ts'

/** A change of an account's factors. */
interface FactorChange {
  readonly second_factor: 'totp' | 'passkey' | 'recovery_codes' | 'all'
  readonly change: 'added' | 'renamed' | 'removed' | 'renewed' | 'reset' | 'refused'
  /** The name of a passkey. */
  readonly name?: string
}

/** Returns the audit entry of a change of an account's factors, without secrets. */
export const factorAudit = (
  user_id: number,
  change: FactorChange,
  { after = null, before = null }: Partial<Pick<WorkspaceAudit, 'before' | 'after'>> = {},
): WorkspaceAudit => ({
  project_id: null,
  environment_id: null,
  action: 'update',
  before,
  after,
  metadata: { origin: 'direct', resource: `user:${user_id}`, ...change },
})
