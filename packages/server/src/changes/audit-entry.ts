import type { AuditEntry as ShownEntry } from '@burgee/contract'

export type AuditAction = ShownEntry['action']

export type AuditOrigin = 'direct' | 'change_request' | 'schedule' | 'promote' | 'import' | 'apply' | 'revert'

/**
 * An entry of the audit log: the values before and after a write, and its origin. It never contains secrets.
 */
export interface AuditEntry {
  readonly action: AuditAction
  /** The key of the flag; empty for other things, which `metadata.resource` names. */
  readonly flag_key: string
  readonly before: object | null
  readonly after: object | null
  readonly metadata: {
    readonly origin: AuditOrigin
    readonly resource?: string
    readonly [key: string]: unknown
  }
}
