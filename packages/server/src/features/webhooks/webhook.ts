import type { Webhook } from '@burgee/contract'
import type { WorkspaceWriteOutcome } from '../../changes/index.ts'
import { elideUrl } from '../../kernel/elide-url.ts'

/** A webhook as it is stored. */
export interface StoredWebhook extends Omit<Webhook, 'has_secret'> {
  readonly secret_sealed: string | null
}

/** As the API shows it: without its secret. */
export const toWebhook = ({ secret_sealed, ...webhook }: StoredWebhook): Webhook => ({
  ...webhook,
  has_secret: secret_sealed !== null,
})

/** An empty secret is none: nothing could be signed with it that proves anything. */
export const sealSecret = (seal: (text: string) => string, secret: string | null): string | null =>
  secret === null || secret === '' ? null : seal(secret)

interface WebhookChange {
  readonly project_id: string
  readonly action: 'create' | 'update' | 'delete'
  readonly before: StoredWebhook | null
  readonly after: StoredWebhook | null
  /** Why it was done by nobody. */
  readonly reason?: string
}

/**
 * What the audit log holds of it: neither its secret nor its whole address, for everyone who may read the environment reads
 * the log, and addresses like to hold credentials.
 */
export function webhookAudit(change: WebhookChange): WorkspaceWriteOutcome<unknown>['audit'] {
  const { action, after, before, project_id, reason } = change
  const webhook = after ?? before
  return {
    project_id,
    environment_id: webhook?.environment_id ?? null,
    action,
    before: before && audited(before),
    after: after && audited(after),
    metadata: { origin: 'direct', resource: `webhook:${webhook?.id}`, ...(reason && { reason }) },
  }
}

const audited = (webhook: StoredWebhook) => ({ ...toWebhook(webhook), url: elideUrl(webhook.url) })
