import type { IntegrationDelivery } from '@burgee/contract'
import type { Kysely, Transaction } from 'kysely'
import { lastDelivery } from '../../platform/db/last-delivery.ts'
import type { Database } from '../../platform/db/tables.ts'
import type { StoredIntegration } from './integration.ts'

const COLUMNS = [
  'id',
  'environment_id',
  'kind',
  'name',
  'webhook_url_preview',
  'webhook_url_sealed',
  'events',
  'enabled',
  'created_at',
] as const

/** With the newest attempt of each. */
const shownIntegrations = (db: Kysely<Database>, environment_id: string) =>
  db
    .selectFrom('integrations')
    .select(COLUMNS)
    .select(lastDelivery('integration_deliveries', 'integration_id', 'integrations'))
    .where('environment_id', '=', environment_id)

/** Returns an environment's chats in the order of their creation. */
export async function listIntegrations(
  db: Kysely<Database>,
  environment_id: string,
): Promise<StoredIntegration[]> {
  return shownIntegrations(db, environment_id).orderBy('position').execute()
}

export async function integrationExists(
  db: Kysely<Database>,
  environment_id: string,
  id: string,
): Promise<boolean> {
  const found = await db
    .selectFrom('integrations')
    .select('id')
    .where('environment_id', '=', environment_id)
    .where('id', '=', id)
    .executeTakeFirst()
  return found !== undefined
}

export async function findIntegration(
  db: Kysely<Database>,
  { environment_id, id }: { readonly environment_id: string; readonly id: string },
): Promise<StoredIntegration | undefined> {
  return shownIntegrations(db, environment_id).where('id', '=', id).executeTakeFirst()
}

/**
 * Locks an integration against other changes until the transaction ends; undefined when the environment has
 * none such.
 */
export async function lockIntegration(
  tx: Transaction<Database>,
  { environment_id, id }: { readonly environment_id: string; readonly id: string },
): Promise<StoredIntegration | undefined> {
  return tx
    .selectFrom('integrations')
    .select(COLUMNS)
    .where('environment_id', '=', environment_id)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

export async function insertIntegration(
  tx: Transaction<Database>,
  integration: StoredIntegration & { readonly after_event_id: number },
): Promise<void> {
  const events = JSON.stringify(integration.events)
  await tx
    .insertInto('integrations')
    .values({ ...integration, events })
    .execute()
}

type Changeable = Pick<
  StoredIntegration,
  'name' | 'webhook_url_preview' | 'webhook_url_sealed' | 'events' | 'enabled'
>

export async function updateIntegrationRow(
  tx: Transaction<Database>,
  id: string,
  { events, ...set }: Changeable & { readonly after_event_id?: number },
): Promise<void> {
  await tx
    .updateTable('integrations')
    .set({ ...set, events: JSON.stringify(events) })
    .where('id', '=', id)
    .execute()
}

/** Its deliveries and jobs are deleted with it. */
export async function deleteIntegrationRow(tx: Transaction<Database>, id: string): Promise<void> {
  await tx.deleteFrom('integrations').where('id', '=', id).execute()
}

const DELIVERY_COLUMNS = [
  'id',
  'integration_id',
  'event',
  'attempt',
  'message_id',
  'status_code',
  'response_body',
  'error',
  'duration_ms',
  'delivered_at',
] as const

/** Returns the newest attempts, newest first. */
export async function listIntegrationDeliveries(
  db: Kysely<Database>,
  integration_id: string,
  limit: number,
): Promise<IntegrationDelivery[]> {
  return db
    .selectFrom('integration_deliveries')
    .select(DELIVERY_COLUMNS)
    .where('integration_id', '=', integration_id)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

export async function findIntegrationDelivery(
  db: Kysely<Database>,
  id: number,
): Promise<IntegrationDelivery | undefined> {
  return db
    .selectFrom('integration_deliveries')
    .select(DELIVERY_COLUMNS)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Returns the environment's name and slug, for its events. */
export async function findEnvironmentForEvent(
  db: Kysely<Database>,
  environment_id: string,
): Promise<{ id: string; name: string; slug: string } | undefined> {
  return db
    .selectFrom('environments')
    .select(['id', 'name', 'slug'])
    .where('id', '=', environment_id)
    .executeTakeFirst()
}
