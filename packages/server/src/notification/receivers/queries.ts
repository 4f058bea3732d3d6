import type { Webhook } from '@burgee/contract'
import { type Kysely, sql, type Transaction } from 'kysely'
import { utcText } from '../../platform/db/json-row.ts'
import type { Database } from '../../platform/db/tables.ts'
import type { ReceiverPlace, ReceiverTables, StoredReceiver } from './receiver.ts'

/** Both tables have the columns of `StoredReceiver`, so that the queries are typed by one of them. */
const tableOf = ({ receivers }: ReceiverTables) => receivers as 'webhooks'
const columnsOf = ({ columns }: ReceiverTables) => columns as readonly (keyof StoredReceiver)[]

/** Selects the newest attempt in the log of a receiver as `last_delivery`; null when there is none. */
const lastDelivery = ({ log, logKey, receivers }: ReceiverTables) =>
  sql<NonNullable<Webhook['last_delivery']> | null>`(
    select json_build_object('id', d.id, 'event', d.event, 'attempt', d.attempt, 'status_code', d.status_code, 'error', d.error,
      'delivered_at', ${utcText(sql.ref('d.delivered_at'))})
    from ${sql.table(log)} d where ${sql.ref(`d.${logKey}`)} = ${sql.ref(`${receivers}.id`)} order by d.id desc limit 1
  )`.as('last_delivery')

/** Selects the receivers of an environment with the newest attempt of each. */
const shownReceivers = (db: Kysely<Database>, tables: ReceiverTables, environment_id: string) =>
  db
    .selectFrom(tableOf(tables))
    .select(columnsOf(tables))
    .select(lastDelivery(tables))
    .where('environment_id', '=', environment_id)

/** Returns an environment's receivers in the order of their creation. */
export async function listReceivers<Stored extends StoredReceiver>(
  db: Kysely<Database>,
  tables: ReceiverTables,
  environment_id: string,
): Promise<Stored[]> {
  return shownReceivers(db, tables, environment_id).orderBy('position').$castTo<Stored>().execute()
}

export async function findReceiver<Stored extends StoredReceiver>(
  db: Kysely<Database>,
  tables: ReceiverTables,
  { environment_id, id }: ReceiverPlace,
): Promise<Stored | undefined> {
  return shownReceivers(db, tables, environment_id).where('id', '=', id).$castTo<Stored>().executeTakeFirst()
}

/** Locks a receiver against other changes until the transaction ends; undefined when there is none. */
export async function lockReceiver<Stored extends StoredReceiver>(
  tx: Transaction<Database>,
  tables: ReceiverTables,
  { environment_id, id }: ReceiverPlace,
): Promise<Stored | undefined> {
  return tx
    .selectFrom(tableOf(tables))
    .select(columnsOf(tables))
    .where('environment_id', '=', environment_id)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .$castTo<Stored>()
    .executeTakeFirst()
}

export async function insertReceiver(
  tx: Transaction<Database>,
  tables: ReceiverTables,
  receiver: StoredReceiver,
  after_event_id: number,
): Promise<void> {
  // Its own columns are those of the kind.
  const row = { ...toRow(receiver), after_event_id } as never
  await tx.insertInto(tableOf(tables)).values(row).execute()
}

export async function updateReceiverRow(
  tx: Transaction<Database>,
  tables: ReceiverTables,
  id: string,
  changed: Partial<StoredReceiver> & { readonly after_event_id?: number },
): Promise<void> {
  await tx.updateTable(tableOf(tables)).set(toRow(changed)).where('id', '=', id).execute()
}

/** Its deliveries and jobs are deleted with it. */
export async function deleteReceiverRow(
  tx: Transaction<Database>,
  tables: ReceiverTables,
  id: string,
): Promise<void> {
  await tx.deleteFrom(tableOf(tables)).where('id', '=', id).execute()
}

/** Returns the fields as their columns are written: arrays are JSON texts. */
const toRow = (fields: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      Array.isArray(value) ? JSON.stringify(value) : value,
    ]),
  )
