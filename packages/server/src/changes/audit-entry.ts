/** Every action that the audit log knows (contract, section 10). */
export type AuditAction =
  | 'create'
  | 'update'
  | 'delete'
  | 'promote'
  | 'archive'
  | 'unarchive'
  | 'restore'
  | 'schedule'
  | 'unschedule'
  | 'change_request.open'
  | 'change_request.approve'
  | 'change_request.reject'
  | 'change_request.cancel'

export type AuditOrigin = 'direct' | 'change_request' | 'schedule' | 'promote' | 'import'

/** One write, told to the audit log: what was, what is, and where it came from. Never a secret. */
export interface AuditEntry {
  readonly action: AuditAction
  /** Empty for anything that is no flag; `metadata.resource` names the thing then. */
  readonly flag_key: string
  readonly before: object | null
  readonly after: object | null
  readonly metadata: {
    readonly origin: AuditOrigin
    readonly resource?: string
    readonly [key: string]: unknown
  }
}
