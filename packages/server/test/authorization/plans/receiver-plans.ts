import { randomUUID } from 'node:crypto'
import type { integrationEndpoints, webhookEndpoints } from '@burgee/contract'
import { asAdmin, type Place, type World } from '../world.ts'
import type { Planners } from './plan.ts'

/** The port `discard`, where nothing listens: requests are refused at once. */
const NOBODY = 'http://127.0.0.1:9/nobody'

export const WEBHOOK_PLANS: Planners<typeof webhookEndpoints> = {
  listWebhooks: async (_world, { environment_id }) => ({ params: { env_id: environment_id } }),
  getWebhook: async (world, place) => ({ params: await newWebhook(world, place) }),
  createWebhook: async ({ newName }, { environment_id }) => ({
    params: { env_id: environment_id },
    body: { name: newName('webhook'), url: NOBODY },
  }),
  updateWebhook: async (world, place) => ({
    params: await newWebhook(world, place),
    body: { enabled: false },
  }),
  deleteWebhook: async (world, place) => ({ params: await newWebhook(world, place) }),
  listWebhookDeliveries: async (world, place) => ({ params: await newWebhook(world, place) }),
  redeliverWebhookDelivery: async (world, place) => {
    const params = await newWebhook(world, place)
    return { params: { ...params, delivery_id: await newDelivery(world, place, params.id) } }
  },
}

export const INTEGRATION_PLANS: Planners<typeof integrationEndpoints> = {
  listIntegrations: async (_world, { environment_id }) => ({ params: { env_id: environment_id } }),
  getIntegration: async (world, place) => ({ params: await newIntegration(world, place) }),
  createIntegration: async ({ newName }, { environment_id }) => ({
    params: { env_id: environment_id },
    body: { kind: 'slack', name: newName('chat'), webhook_url: NOBODY },
  }),
  updateIntegration: async (world, place) => ({
    params: await newIntegration(world, place),
    body: { enabled: false },
  }),
  deleteIntegration: async (world, place) => ({ params: await newIntegration(world, place) }),
  testIntegration: async (world, place) => ({ params: await newIntegration(world, place) }),
  listIntegrationDeliveries: async (world, place) => ({ params: await newIntegration(world, place) }),
}

/** Creates a disabled webhook, so that it gets no other events. */
async function newWebhook({ newName, server }: World, { environment_id }: Place) {
  const path = `/api/environments/${environment_id}/webhooks`
  await makeRoom(server, path)
  const body = { name: newName('webhook'), url: NOBODY, enabled: false }
  const { id }: { id: string } = await asAdmin(server, { path, body })
  return { env_id: environment_id, id }
}

async function newIntegration({ newName, server }: World, { environment_id }: Place) {
  const path = `/api/environments/${environment_id}/integrations`
  await makeRoom(server, path)
  const body = { kind: 'teams', name: newName('chat'), webhook_url: NOBODY, enabled: false }
  const { id }: { id: string } = await asAdmin(server, { path, body })
  return { env_id: environment_id, id }
}

/** An environment has at most 100. Plans that are under way use the newest ones. */
const KEPT = 50

async function makeRoom(server: World['server'], path: string): Promise<void> {
  const listed: readonly { readonly id: string; readonly created_at: string }[] = await asAdmin(server, {
    path,
  })
  const oldestFirst = listed.toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1))
  for (const { id } of oldestFirst.slice(0, Math.max(0, listed.length - KEPT)))
    await server.call({ method: 'DELETE', path: `${path}/${id}` })
}

/** Inserts an attempt as if an event had been sent. */
async function newDelivery(
  { server }: World,
  { environment_id, project_id }: Place,
  webhook_id: string,
): Promise<number> {
  const { db } = server.database
  const now = new Date().toISOString()
  const type = 'flag.deleted'
  const event = await db
    .insertInto('domain_events')
    .values({ project_id, environment_id, type, data: '{}', created_at: now, fanned_out_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  const attempt = {
    webhook_id,
    event_id: event.id,
    event: type,
    message_id: `evt_${randomUUID()}`,
    attempt: 1,
    status_code: 500,
    response_body: '',
    error: null,
    delivered_at: now,
  }
  const { id } = await db
    .insertInto('webhook_deliveries')
    .values(attempt)
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
