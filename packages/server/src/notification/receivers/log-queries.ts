import type { IntegrationDelivery, WebhookDelivery } from '@burgee/contract'
import type { Kysely } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'
import type { ReceiverTables } from './receiver.ts'

const COLUMNS = [
  'event',
  'attempt',
  'message_id',
  'status_code',
  'response_body',
  'error',
  'duration_ms',
  'delivered_at',
] as const

/** The logs of both kinds differ in the column that names the receiver. */
const loggedAttempts = <Delivery>(db: Kysely<Database>, { log, logKey }: ReceiverTables) =>
  db
    .selectFrom(log as 'webhook_deliveries')
    .select(['id', logKey as 'webhook_id', ...COLUMNS])
    .$castTo<Delivery>()

/** Returns the newest attempts of a receiver, newest first. */
export async function listDeliveries<Delivery extends WebhookDelivery | IntegrationDelivery>(
  db: Kysely<Database>,
  tables: ReceiverTables,
  id: string,
  limit: number,
): Promise<Delivery[]> {
  return loggedAttempts<Delivery>(db, tables)
    .where(tables.logKey as 'webhook_id', '=', id)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

export async function findDelivery<Delivery extends WebhookDelivery | IntegrationDelivery>(
  db: Kysely<Database>,
  tables: ReceiverTables,
  id: number,
): Promise<Delivery | undefined> {
  return loggedAttempts<Delivery>(db, tables).where('id', '=', id).executeTakeFirst()
}
