import type { AuditEntry as ShownEntry } from '@burgee/contract'

export type AuditAction = ShownEntry['action']

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
