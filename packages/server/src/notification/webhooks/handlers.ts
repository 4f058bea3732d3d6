import { WEBHOOK_DELIVERIES_MAX, type webhookEndpoints } from '@burgee/contract'
import { notFound } from '../../kernel/refusal.ts'
import { withWarnings } from '../../kernel/with-warnings.ts'
import type { EndpointHandlers } from '../../platform/replies/endpoint-handler.ts'
import { createWebhook, type EnvironmentPlace, type WebhookDeps } from './create-webhook.ts'
import { deleteWebhook } from './delete-webhook.ts'
import { findWebhook, listWebhookDeliveries, listWebhooks, webhookExists } from './queries.ts'
import { type RedeliverDeps, redeliverWebhook } from './redeliver-webhook.ts'
import { secretWarnings } from './secret-warnings.ts'
import { updateWebhook } from './update-webhook.ts'
import { toWebhook } from './webhook.ts'

export function webhookHandlers(
  deps: WebhookDeps & RedeliverDeps,
): EndpointHandlers<typeof webhookEndpoints> {
  return {
    async listWebhooks({ scope }) {
      const webhooks = await listWebhooks(deps.db, scope.environment.id)
      return { status: 200, body: webhooks.map(toWebhook) }
    },
    async getWebhook({ params, scope }) {
      const webhook = await findWebhook(deps.db, { environment_id: scope.environment.id, id: params.id })
      if (!webhook) throw notFound('webhook')
      return { status: 200, body: toWebhook(webhook) }
    },
    async createWebhook({ actor, body, scope }) {
      const webhook = await createWebhook(deps, actor, { place: placeOf(scope), input: body })
      return { status: 200, body: withWarnings(webhook, secretWarnings(body.secret)) }
    },
    async updateWebhook({ actor, body, params, scope }) {
      const input = { place: placeOf(scope), id: params.id, patch: body }
      const webhook = await updateWebhook(deps, actor, input)
      return { status: 200, body: withWarnings(webhook, secretWarnings(body.secret)) }
    },
    async deleteWebhook({ actor, params, scope }) {
      await deleteWebhook(deps, actor, { place: placeOf(scope), id: params.id })
      return { status: 204, body: null }
    },
    async listWebhookDeliveries({ params, scope }) {
      if (!(await webhookExists(deps.db, scope.environment.id, params.id))) throw notFound('webhook')
      return { status: 200, body: await listWebhookDeliveries(deps.db, params.id, WEBHOOK_DELIVERIES_MAX) }
    },
    async redeliverWebhookDelivery({ actor, params, scope }) {
      const { delivery_id, id } = params
      await redeliverWebhook(deps, actor, { place: placeOf(scope), webhook_id: id, delivery_id })
      return { status: 202, body: null }
    },
  }
}

const placeOf = (scope: {
  readonly project_id: string
  readonly environment: { readonly id: string }
}): EnvironmentPlace => ({ project_id: scope.project_id, environment_id: scope.environment.id })
