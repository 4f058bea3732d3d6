import type { ChangeRequest, Flag } from '@burgee/contract'
import type { JsonValue } from '@burgee/evaluation'
import type { Kysely, Selectable, Transaction } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'

export type StoredChangeRequest = Selectable<Database['change_requests']>

export interface NewChangeRequest {
  readonly environment_id: string
  readonly flag_key: string
  readonly operation: ChangeRequest['operation']
  readonly patch: Readonly<Record<string, JsonValue>>
  readonly body: object
  readonly scheduled_at: string | null
  readonly requested_by: string
  readonly requester: string
  readonly base_flag: Flag
  readonly created_at: string
}

export async function insertChangeRequest(
  tx: Transaction<Database>,
  { base_flag, body, patch, ...request }: NewChangeRequest,
): Promise<StoredChangeRequest> {
  return tx
    .insertInto('change_requests')
    .values({
      ...request,
      patch: JSON.stringify(patch),
      body: JSON.stringify(body),
      base_flag: JSON.stringify(base_flag),
      reviewed_by: null,
      reason: null,
      reviewed_at: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Requests of an environment, newest first; of one status, or all. */
export async function listChangeRequests(
  db: Kysely<Database>,
  environment_id: string,
  status: ChangeRequest['status'] | undefined,
): Promise<StoredChangeRequest[]> {
  let query = db
    .selectFrom('change_requests')
    .selectAll()
    .where('environment_id', '=', environment_id)
    .orderBy('id', 'desc')
  if (status !== undefined) query = query.where('status', '=', status)
  return query.execute()
}

/** Held against other reviews until the transaction ends. */
export async function lockChangeRequest(
  tx: Transaction<Database>,
  environment_id: string,
  id: number,
): Promise<StoredChangeRequest | undefined> {
  return tx
    .selectFrom('change_requests')
    .selectAll()
    .where('environment_id', '=', environment_id)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

export async function changeRequestExists(
  db: Kysely<Database>,
  environment_id: string,
  id: number,
): Promise<boolean> {
  const found = await db
    .selectFrom('change_requests')
    .select('id')
    .where('environment_id', '=', environment_id)
    .where('id', '=', id)
    .executeTakeFirst()
  return found !== undefined
}

export interface Decision {
  readonly status: ChangeRequest['status']
  readonly reviewed_by: string | null
  readonly reason: string | null
  readonly reviewed_at: string | null
}

export async function decideChangeRequest(
  tx: Transaction<Database>,
  id: number,
  decision: Decision,
): Promise<StoredChangeRequest> {
  return tx
    .updateTable('change_requests')
    .set(decision)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}
