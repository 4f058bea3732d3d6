export { disableGoneWebhook } from './disable-gone-webhook.ts'
export { webhookHandlers } from './handlers.ts'
export { webhookDeliveryExists, webhookExists } from './queries.ts'
