import type { WorkspaceAudit } from '../../changes/index.ts'

interface Link {
  readonly issuer: string
  readonly subject: string
  readonly email: string
}

interface LinkChange {
  /** Null when the account was not linked. */
  readonly before: Link | null
  readonly after: Link | null
}

/** Builds the audit entry of linking an account with a person at the provider, or of ending that. */
export const linkAudit = (user_id: number, { after, before }: LinkChange): WorkspaceAudit => ({
  project_id: null,
  environment_id: null,
  action: before === null ? 'create' : 'delete',
  before,
  after,
  metadata: { origin: 'direct', resource: `identity:${user_id}`, by: 'single_sign_on' },
})
