import type { ChangeRequest, DomainEventType, Flag } from '@burgee/contract'
import type { EnvironmentName } from './domain-event.ts'

/**
 * A domain event in the outbox and for receivers: the `data` of the webhook envelope
 * (docs/reference/events.md).
 */
export interface DomainEventPayload {
  readonly project_id: string
  readonly environment: EnvironmentName
  readonly flag_key: string
  readonly actor_email: string
  /** The flag after the change; null when it was deleted. */
  readonly flag: Flag | null
  /** The flag before the change; null when there was none, or when nothing changed. */
  readonly previous: Flag | null
  readonly source_environment?: EnvironmentName
  /** Why it was done. */
  readonly comment?: string
  /** The invariants that the change violates, and why an admin overrode them. */
  readonly override?: { readonly invariants: readonly string[]; readonly reason: string }
  readonly change_request?: StoredRequest
  /** The place of the change in its chain of the audit log; absent in tests of a receiver. */
  readonly audit?: AuditPlace
}

/** The place of an entry in its chain, with its hash in hexadecimal. */
export interface AuditPlace {
  readonly chain: string
  readonly seq: number
  readonly hash: string
}

/** A change request in events and in the audit log, without what is computed for its readers. */
export type StoredRequest = Omit<ChangeRequest, 'preview' | 'decided_change' | 'comments' | 'impact'>

/** A domain event with its time (ISO 8601, UTC). */
export interface DomainEventRecord {
  readonly type: DomainEventType
  readonly occurred_at: string
  readonly event: DomainEventPayload
}
