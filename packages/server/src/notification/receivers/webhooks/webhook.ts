import {
  isShortSecret,
  SHORT_SECRET_CHARS,
  type Webhook,
  type WebhookInput,
  type WebhookPatch,
} from '@burgee/contract'
import { elideUrl } from '../../../kernel/elide-url.ts'
import { invalid } from '../../../kernel/refusal.ts'
import { findTargetProblem } from '../../../platform/outbound/find-target-problem.ts'
import type { ReceiverDeps, ReceiverKind } from '../receiver.ts'

/** A stored webhook. */
export interface StoredWebhook extends Omit<Webhook, 'has_secret'> {
  readonly secret_sealed: string | null
}

const toShown = ({ secret_sealed, ...webhook }: StoredWebhook): Webhook => ({
  ...webhook,
  has_secret: secret_sealed !== null,
})

/** An address of a program, with messages in JSON that may be signed (docs/webhooks.md). */
export const WEBHOOK: ReceiverKind<StoredWebhook, Webhook, WebhookInput, WebhookPatch> = {
  noun: 'webhook',
  tables: {
    receivers: 'webhooks',
    log: 'webhook_deliveries',
    logKey: 'webhook_id',
    columns: ['id', 'environment_id', 'name', 'url', 'secret_sealed', 'enabled', 'created_at'],
  },
  toShown,
  // Addresses often contain credentials.
  toAudited: (webhook) => ({ ...toShown(webhook), url: elideUrl(webhook.url) }),
  create(deps, { enabled = true, name, secret = null, url }) {
    requireUrl(deps, url)
    const secret_sealed = sealSecret(deps, secret)
    return ({ created_at, environment_id, id }) => ({
      id,
      environment_id,
      name,
      url,
      secret_sealed,
      enabled,
      created_at,
    })
  },
  change(deps, { enabled, name, secret, url }) {
    if (url !== undefined) requireUrl(deps, url)
    return {
      ...(name !== undefined && { name }),
      ...(url !== undefined && { url }),
      ...(secret !== undefined && { secret_sealed: sealSecret(deps, secret) }),
      ...(enabled !== undefined && { enabled }),
    }
  },
  eventsOf: () => [],
  /** A secret that was not sent, or is removed, has none. */
  warningsOf({ secret }) {
    if (typeof secret !== 'string' || !isShortSecret(secret)) return []
    const message = `The secret has fewer than ${SHORT_SECRET_CHARS} characters: it can be guessed from one signed message. Generate a random one.`
    return [{ code: 'short_secret', path: '/secret', message }]
  },
}

function requireUrl({ privateTargets }: ReceiverDeps, url: string): void {
  const message = findTargetProblem(url, { kind: 'webhook', privateTargets })
  if (message !== null) throw invalid([{ path: '/url', message }])
}

/** Encrypts a secret. An empty one counts as none: its signatures would prove nothing. */
const sealSecret = ({ data_key }: ReceiverDeps, secret: string | null): string | null =>
  secret === null || secret === '' ? null : data_key.seal(secret)
