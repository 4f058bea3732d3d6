import type { DomainEventType, Integration } from '@burgee/contract'
import type { WorkspaceWriteOutcome } from '../../changes/index.ts'

/** A stored chat integration. Its address is a credential: with it, anyone can write into the chat. */
export interface StoredIntegration extends Omit<Integration, 'events'> {
  readonly events: DomainEventType[]
  readonly webhook_url_sealed: string
}

/** Converts an integration for the API and the audit log, without its address. */
export const toIntegration = ({ webhook_url_sealed: _, ...integration }: StoredIntegration): Integration =>
  integration

interface IntegrationChange {
  readonly project_id: string
  readonly action: 'create' | 'update' | 'delete'
  readonly before: StoredIntegration | null
  readonly after: StoredIntegration | null
}

export function integrationAudit({
  action,
  after,
  before,
  project_id,
}: IntegrationChange): WorkspaceWriteOutcome<unknown>['audit'] {
  const integration = after ?? before
  return {
    project_id,
    environment_id: integration?.environment_id ?? null,
    action,
    before: before && toIntegration(before),
    after: after && toIntegration(after),
    metadata: { origin: 'direct', resource: `integration:${integration?.id}` },
  }
}
