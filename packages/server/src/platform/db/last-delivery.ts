import type { Webhook } from '@burgee/contract'
import { sql } from 'kysely'
import { utcText } from './json-row.ts'

/** Selects the newest attempt in the log of a receiver as `last_delivery`; null when there is none. */
export const lastDelivery = (
  log: 'webhook_deliveries' | 'integration_deliveries',
  column: 'webhook_id' | 'integration_id',
  receivers: 'webhooks' | 'integrations',
) =>
  sql<NonNullable<Webhook['last_delivery']> | null>`(
    select json_build_object('id', d.id, 'event', d.event, 'attempt', d.attempt, 'status_code', d.status_code, 'error', d.error,
      'delivered_at', ${utcText(sql.ref('d.delivered_at'))})
    from ${sql.table(log)} d where ${sql.ref(`d.${column}`)} = ${sql.ref(`${receivers}.id`)} order by d.id desc limit 1
  )`.as('last_delivery')
