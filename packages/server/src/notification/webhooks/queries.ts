import type { WebhookDelivery } from '@burgee/contract'
import type { Kysely, Transaction } from 'kysely'
import { lastDelivery } from '../../platform/db/last-delivery.ts'
import type { Database } from '../../platform/db/tables.ts'
import type { StoredWebhook } from './webhook.ts'

const COLUMNS = ['id', 'environment_id', 'name', 'url', 'secret_sealed', 'enabled', 'created_at'] as const

/** With the newest attempt of each. */
const shownWebhooks = (db: Kysely<Database>, environment_id: string) =>
  db
    .selectFrom('webhooks')
    .select(COLUMNS)
    .select(lastDelivery('webhook_deliveries', 'webhook_id', 'webhooks'))
    .where('environment_id', '=', environment_id)

/** An environment's webhooks in the order in which they were created. */
export async function listWebhooks(db: Kysely<Database>, environment_id: string): Promise<StoredWebhook[]> {
  return shownWebhooks(db, environment_id).orderBy('position').execute()
}

export async function webhookExists(
  db: Kysely<Database>,
  environment_id: string,
  id: string,
): Promise<boolean> {
  const found = await db
    .selectFrom('webhooks')
    .select('id')
    .where('environment_id', '=', environment_id)
    .where('id', '=', id)
    .executeTakeFirst()
  return found !== undefined
}

/** The place of a webhook: ids are looked up in their environment only. */
export interface WebhookPlace {
  readonly environment_id: string
  readonly id: string
}

export async function findWebhook(
  db: Kysely<Database>,
  { environment_id, id }: WebhookPlace,
): Promise<StoredWebhook | undefined> {
  return shownWebhooks(db, environment_id).where('id', '=', id).executeTakeFirst()
}

/** Locks a webhook against other changes until the transaction ends; undefined when there is none. */
export async function lockWebhook(
  tx: Transaction<Database>,
  { environment_id, id }: WebhookPlace,
): Promise<StoredWebhook | undefined> {
  return tx
    .selectFrom('webhooks')
    .select(COLUMNS)
    .where('environment_id', '=', environment_id)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/** Locks a webhook by its id alone, and returns its project as well. */
export async function lockWebhookById(
  tx: Transaction<Database>,
  id: string,
): Promise<(StoredWebhook & { readonly project_id: string }) | undefined> {
  return tx
    .selectFrom('webhooks as w')
    .innerJoin('environments as e', 'e.id', 'w.environment_id')
    .select(['w.id', 'w.environment_id', 'w.name', 'w.url', 'w.secret_sealed', 'w.enabled', 'w.created_at'])
    .select('e.project_id')
    .where('w.id', '=', id)
    .forNoKeyUpdate('w')
    .executeTakeFirst()
}

export async function insertWebhook(
  tx: Transaction<Database>,
  webhook: StoredWebhook & { readonly after_event_id: number },
): Promise<void> {
  await tx.insertInto('webhooks').values(webhook).execute()
}

export async function updateWebhookRow(
  tx: Transaction<Database>,
  id: string,
  set: Partial<Pick<StoredWebhook, 'name' | 'url' | 'secret_sealed' | 'enabled'>> & {
    readonly after_event_id?: number
  },
): Promise<void> {
  await tx.updateTable('webhooks').set(set).where('id', '=', id).execute()
}

/** Its deliveries and jobs are deleted with it. */
export async function deleteWebhookRow(tx: Transaction<Database>, id: string): Promise<void> {
  await tx.deleteFrom('webhooks').where('id', '=', id).execute()
}

/** Returns the newest attempts, newest first. */
export async function listWebhookDeliveries(
  db: Kysely<Database>,
  webhook_id: string,
  limit: number,
): Promise<WebhookDelivery[]> {
  return db
    .selectFrom('webhook_deliveries')
    .select([
      'id',
      'webhook_id',
      'event',
      'attempt',
      'message_id',
      'status_code',
      'response_body',
      'error',
      'duration_ms',
      'delivered_at',
    ])
    .where('webhook_id', '=', webhook_id)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

export async function webhookDeliveryExists(
  db: Kysely<Database>,
  environment_id: string,
  of: { readonly webhook_id: string; readonly id: number },
): Promise<boolean> {
  const found = await db
    .selectFrom('webhook_deliveries as d')
    .innerJoin('webhooks as w', 'w.id', 'd.webhook_id')
    .select('d.id')
    .where('w.environment_id', '=', environment_id)
    .where('w.id', '=', of.webhook_id)
    .where('d.id', '=', of.id)
    .executeTakeFirst()
  return found !== undefined
}
