import type { WorkspaceAudit } from '../../changes/index.ts'

/** A change of an account's factors. */
interface FactorChange {
  readonly second_factor: 'totp' | 'passkey' | 'recovery_codes' | 'all'
  readonly change: 'added' | 'removed' | 'renewed' | 'reset'
  /** The name of a passkey. */
  readonly name?: string
}

/** Returns the audit entry of a change of an account's factors, without secrets. */
export const factorAudit = (user_id: number, change: FactorChange): WorkspaceAudit => ({
  project_id: null,
  environment_id: null,
  action: 'update',
  before: null,
  after: null,
  metadata: { origin: 'direct', resource: `user:${user_id}`, ...change },
})
