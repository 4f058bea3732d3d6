import { WEBHOOK_DELIVERIES_MAX, type WebhookDelivery, type webhookEndpoints } from '@burgee/contract'
import type { EndpointHandlers } from '../../../platform/replies/endpoint-handler.ts'
import type { ReceiverDeps } from '../receiver.ts'
import { placeOf, receiverHandlers } from '../receiver-handlers.ts'
import { type RedeliverDeps, redeliverWebhook } from './redeliver-webhook.ts'
import { WEBHOOK } from './webhook.ts'

export function webhookHandlers(
  deps: ReceiverDeps & RedeliverDeps,
): EndpointHandlers<typeof webhookEndpoints> {
  const webhooks = receiverHandlers(WEBHOOK, deps)
  return {
    listWebhooks: webhooks.list,
    getWebhook: webhooks.get,
    createWebhook: webhooks.create,
    updateWebhook: webhooks.update,
    deleteWebhook: webhooks.remove,
    listWebhookDeliveries: (request) =>
      webhooks.listDeliveries<WebhookDelivery>(request, WEBHOOK_DELIVERIES_MAX),
    async redeliverWebhookDelivery({ actor, params, scope }) {
      const { delivery_id, id } = params
      await redeliverWebhook(deps, actor, { place: placeOf(scope), webhook_id: id, delivery_id })
      return { status: 202, body: null }
    },
  }
}
