import type { ChangeRequest, DomainEventType, Flag } from '@burgee/contract'
import type { EnvironmentName } from './domain-event.ts'

/** A domain event as the outbox holds it and receivers get it: the `data` of the webhook envelope (docs/reference/events.md). */
export interface DomainEventPayload {
  readonly project_id: string
  readonly environment: EnvironmentName
  readonly flag_key: string
  readonly actor_email: string
  /** After the change; null where it was deleted. */
  readonly flag: Flag | null
  /** Before the change; null where there was none, or where nothing changed. */
  readonly previous: Flag | null
  readonly source_environment?: EnvironmentName
  readonly change_request?: Omit<ChangeRequest, 'preview'>
}

/** What happened, and when (ISO-8601 UTC). */
export interface DomainEventRecord {
  readonly type: DomainEventType
  readonly occurred_at: string
  readonly event: DomainEventPayload
}
