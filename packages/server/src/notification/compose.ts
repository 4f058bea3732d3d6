import type { integrationEndpoints, webhookEndpoints } from '@burgee/contract'
import type { Basics } from '../changes/index.ts'
import { type Domain, EMPTY, environmentOf } from '../platform/composition.ts'
import { rowExists } from '../platform/db/row-exists.ts'
import { createPrivateTargets } from '../platform/outbound/private-targets.ts'
import type { Config } from '../platform/settings/config.ts'
import {
  countDeliveryJobs,
  countWaitingEvents,
  createDeliveries,
  type Deliveries,
  pruneEvents,
} from './deliveries/index.ts'
import {
  disableGoneWebhook,
  integrationHandlers,
  toSlackMessage,
  toTeamsMessage,
  webhookDeliveryExists,
  webhookHandlers,
} from './receivers/index.ts'

/** The age at which events are pruned. Until then they can be sent again. */
const EVENTS_KEPT_MS = 7 * 24 * 60 * 60_000

type Endpoints = typeof webhookEndpoints & typeof integrationEndpoints

/** Composes the receivers of events and their deliveries. */
export function composeNotification(
  { blockPrivateTargets, outboundAllow, proxy, publicUrl }: Config,
  basics: Basics,
  { connections }: { readonly connections: number },
): Domain<Pick<Deliveries, 'wake'>, Endpoints, 'integration' | 'webhook' | 'webhook_delivery'> {
  const { clock, data_key, db, log } = basics
  const privateTargets = createPrivateTargets({ areBlocked: blockPrivateTargets, allow: outboundAllow })
  const deliveries = createDeliveries({
    clock,
    data_key,
    db,
    log,
    connections,
    privateTargets,
    proxy,
    recordGone: (attempt) => disableGoneWebhook(basics, attempt),
    toChatMessage: (kind, occurrence) =>
      kind === 'slack'
        ? toSlackMessage(occurrence, { publicUrl })
        : toTeamsMessage(occurrence, { publicUrl }),
  })
  const { close, sendSample, start, wake } = deliveries
  const receivers = { ...basics, privateTargets }
  return {
    ...EMPTY,
    parts: { wake },
    handlers: {
      ...webhookHandlers({ ...receivers, onQueued: wake }),
      ...integrationHandlers({ ...receivers, sendSample }),
    },
    lookups: {
      webhook: (at) =>
        rowExists(db, 'webhooks', { environment_id: environmentOf(at), id: String(at.params.id) }),
      webhook_delivery: (at) =>
        webhookDeliveryExists(db, environmentOf(at), {
          webhook_id: String(at.params.id),
          id: Number(at.params.delivery_id),
        }),
      integration: (at) =>
        rowExists(db, 'integrations', { environment_id: environmentOf(at), id: String(at.params.id) }),
    },
    texts: {
      '/api/environments/:env_id/integrations/:id': {
        table: 'integrations',
        column: 'id',
        scope: ['environment_id', 'env_id'],
      },
      '/api/environments/:env_id/webhooks/:id': {
        table: 'webhooks',
        column: 'id',
        scope: ['environment_id', 'env_id'],
      },
    },
    workers: [{ name: 'deliveries', start, close, endsByItself: true }],
    prune: [
      {
        name: 'events',
        remove: (now, rows) => pruneEvents(db, new Date(now.getTime() - EVENTS_KEPT_MS).toISOString(), rows),
      },
    ],
    measures: [
      { queue: 'domain_events', count: (max) => countWaitingEvents(db, max) },
      { queue: 'deliveries', count: (max) => countDeliveryJobs(db, max) },
    ],
  }
}
