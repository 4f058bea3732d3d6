import type { DomainEventType } from '@burgee/contract'
import type { Generated, GeneratedAlways } from 'kysely'
import type { AuditPlace } from '../../../kernel/domain-event-payload.ts'
import type { Json, NullableJson } from './json-column.ts'

export interface DomainEventsTable {
  id: GeneratedAlways<number>
  project_id: string
  environment_id: string
  type: string
  /** Null when the data is in chunks. */
  data: NullableJson<object>
  data_chunks: Buffer | null
  data_size: number | null
  chunk_month: string | null
  created_at: string
  fanned_out_at: string | null
  /** The place of its audit entry; null in events of earlier versions and tests. */
  audit: NullableJson<AuditPlace>
}

export interface WebhooksTable {
  id: string
  environment_id: string
  name: string
  url: string
  secret_sealed: string | null
  enabled: Generated<boolean>
  after_event_id: number
  created_at: string
  position: GeneratedAlways<number>
}

export interface IntegrationsTable {
  id: string
  environment_id: string
  kind: 'slack' | 'teams'
  name: string
  webhook_url_sealed: string
  webhook_url_preview: string
  events: Json<DomainEventType[]>
  enabled: Generated<boolean>
  after_event_id: number
  created_at: string
  position: GeneratedAlways<number>
}

export interface DeliveryJobsTable {
  id: GeneratedAlways<number>
  webhook_id: string | null
  integration_id: string | null
  receiver_id: GeneratedAlways<string>
  event_id: number
  message_id: string
  asked_for: Generated<boolean>
  attempt: Generated<number>
  run_at: string
  claimed_until: string | null
}

export interface WebhookDeliveriesTable {
  id: GeneratedAlways<number>
  webhook_id: string
  event_id: number | null
  event: string
  message_id: string
  attempt: number
  status_code: number | null
  response_body: string | null
  error: string | null
  /** Null in rows of earlier versions. */
  duration_ms: number | null
  delivered_at: string
}

export interface IntegrationDeliveriesTable {
  id: GeneratedAlways<number>
  integration_id: string
  event: string
  /** Null in rows of earlier versions. */
  message_id: string | null
  attempt: number
  status_code: number | null
  response_body: string | null
  error: string | null
  duration_ms: number
  delivered_at: string
}
