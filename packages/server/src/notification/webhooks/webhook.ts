import type { Webhook } from '@burgee/contract'
import type { WorkspaceWriteOutcome } from '../../changes/index.ts'
import { elideUrl } from '../../kernel/elide-url.ts'

/** A stored webhook. */
export interface StoredWebhook extends Omit<Webhook, 'has_secret'> {
  readonly secret_sealed: string | null
}

/** Converts a webhook for the API, without its secret. */
export const toWebhook = ({ secret_sealed, ...webhook }: StoredWebhook): Webhook => ({
  ...webhook,
  has_secret: secret_sealed !== null,
})

/** Encrypts a secret. An empty one counts as none: its signatures would prove nothing. */
export const sealSecret = (seal: (text: string) => string, secret: string | null): string | null =>
  secret === null || secret === '' ? null : seal(secret)

interface WebhookChange {
  readonly project_id: string
  readonly action: 'create' | 'update' | 'delete'
  readonly before: StoredWebhook | null
  readonly after: StoredWebhook | null
  /** The reason for a change without a user. */
  readonly reason?: string
}

/**
 * Builds the audit entry, without the secret and without the whole address: every reader of the environment
 * sees the log, and addresses often contain credentials.
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
