import type { Kysely, Transaction } from 'kysely'
import type { Database } from '../../../platform/db/tables.ts'
import type { StoredWebhook } from './webhook.ts'

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
