import type { ScheduledChange } from '@burgee/contract'
import type { JsonValue } from '@burgee/evaluation'
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'
import type { ListQuery } from '../../platform/db/bounded-page.ts'
import { jsonRow, utcText } from '../../platform/db/json-row.ts'
import type { Database } from '../../platform/db/tables.ts'
import { storedImpactBytes, storedImpactOf } from '../../targeting/stored-impacts/index.ts'

const COLUMNS = [
  'id',
  'environment_id',
  'flag_key',
  'scheduled_at',
  'patch',
  'scheduled_by',
  'comment',
  'executed_at',
  'error',
  'created_at',
] as const

/** The subject of a stored impact, of a row of the table and of one that is shown. */
const SUBJECT = {
  environment_id: sql`scheduled_changes.environment_id`,
  subject: sql`'scheduled_change:' || scheduled_changes.id`,
}
const SUBJECT_OF_PAGE = {
  environment_id: sql`page.environment_id`,
  subject: sql`'scheduled_change:' || page.id`,
}

/** A scheduled change without its impact, which is stored apart. */
export type StoredScheduledChange = Omit<ScheduledChange, 'impact'>

export interface NewScheduledChange {
  readonly id: string
  readonly environment_id: string
  readonly flag_key: string
  /** The time, ISO 8601 in UTC. */
  readonly scheduled_at: string
  readonly patch: Readonly<Record<string, JsonValue>>
  readonly scheduled_by: string
  readonly comment: string | null
  readonly change_request_id: number | null
  readonly created_at: string
}

export async function insertScheduledChange(
  tx: Transaction<Database>,
  { patch, ...change }: NewScheduledChange,
): Promise<StoredScheduledChange> {
  return tx
    .insertInto('scheduled_changes')
    .values({ ...change, patch: JSON.stringify(patch), executed_at: null, error: null, retry_at: null })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
}

export type ScheduledChangeFilter =
  | {
      readonly environment_id: string
      readonly flag_key?: string
      /** Only pending changes that were never approved. */
      readonly unapproved?: boolean
    }
  /** The pending changes of a requester, in all environments. */
  | { readonly pendingOf: string }

/** Pending changes that no change request stands behind. */
const IS_UNAPPROVED = sql<boolean>`executed_at is null and change_request_id is null`

/** The position of a change: its time, and its order among those of the same time. */
export interface ScheduledPlace {
  readonly scheduled_at: string
  readonly position: number
}

/** Lists scheduled changes by time, after the position. */
export function scheduledChangeList(
  filter: ScheduledChangeFilter,
  after: ScheduledPlace | null,
  withImpact: boolean,
): ListQuery {
  const conditions = toConditions(filter)
  if (after !== null) conditions.push(isAfter(after))
  return {
    rows: sql`
      select ${sql.join(COLUMNS.map((column) => sql.ref(column)))}, position,
        ${withImpact ? sql`bytes + ${storedImpactBytes(SUBJECT)}` : sql`bytes`} as bytes
      from scheduled_changes where ${sql.join(conditions, sql` and `)}`,
    orderBy: sql`scheduled_at, position`,
    item: jsonRow(COLUMNS, ['scheduled_at', 'executed_at', 'created_at'], {
      ...(withImpact && { impact: storedImpactOf(SUBJECT_OF_PAGE) }),
    }),
    place: sql`json_build_array(${utcText(sql`scheduled_at`)}, position)`,
  }
}

function toConditions(filter: ScheduledChangeFilter): RawBuilder<boolean>[] {
  if ('pendingOf' in filter) return [sql`scheduled_by = ${filter.pendingOf}`, sql`executed_at is null`]
  const { environment_id, flag_key, unapproved } = filter
  const conditions = [sql<boolean>`environment_id = ${environment_id}::uuid`]
  if (flag_key !== undefined) conditions.push(sql`flag_key = ${flag_key}`)
  if (unapproved) conditions.push(IS_UNAPPROVED)
  return conditions
}

const isAfter = ({ position, scheduled_at }: ScheduledPlace) =>
  sql<boolean>`(scheduled_at, position) > (${scheduled_at}::timestamptz, ${position}::bigint)`

type PendingPlace = ScheduledPlace & { readonly id: string; readonly environment_id: string }

/** Returns the next pending changes of a requester in all environments, by time. */
export async function listPendingOf(
  db: Kysely<Database>,
  scheduled_by: string,
  { after, limit }: { readonly after: ScheduledPlace | null; readonly limit: number },
): Promise<PendingPlace[]> {
  return db
    .selectFrom('scheduled_changes')
    .select(['id', 'environment_id', 'scheduled_at', 'position'])
    .where('scheduled_by', '=', scheduled_by)
    .where('executed_at', 'is', null)
    .$if(after !== null, (query) => (after === null ? query : query.where(isAfter(after))))
    .orderBy('scheduled_at')
    .orderBy('position')
    .limit(limit)
    .execute()
}

/** Counts the pending changes of a requester in all environments. */
export async function countPendingOf(db: Kysely<Database>, scheduled_by: string): Promise<number> {
  const { count } = await db
    .selectFrom('scheduled_changes')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('scheduled_by', '=', scheduled_by)
    .where('executed_at', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

/** Gives the pending changes of a requester their new name. What was executed keeps the name of its time. */
export async function renamePlanner(
  tx: Transaction<Database>,
  { after, before }: { readonly before: string; readonly after: string },
): Promise<void> {
  await tx
    .updateTable('scheduled_changes')
    .set({ scheduled_by: after })
    .where('scheduled_by', '=', before)
    .where('executed_at', 'is', null)
    .execute()
}

/** Locks a pending change until the transaction ends; undefined when it was executed or does not exist. */
export async function lockPendingChange(
  tx: Transaction<Database>,
  environment_id: string,
  id: string,
): Promise<(StoredScheduledChange & { change_request_id: number | null }) | undefined> {
  return pendingChanges(tx)
    .where('environment_id', '=', environment_id)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** A query of pending changes, which locks them until the transaction ends. */
export const pendingChanges = (tx: Transaction<Database>) =>
  tx
    .selectFrom('scheduled_changes')
    .select([...COLUMNS, 'change_request_id'])
    .where('executed_at', 'is', null)
    .forUpdate()

/** Locks the earliest changes that were never approved until the transaction ends. */
export async function lockUnapproved(
  tx: Transaction<Database>,
  environment_id: string,
  limit: number,
): Promise<StoredScheduledChange[]> {
  return tx
    .selectFrom('scheduled_changes')
    .select(COLUMNS)
    .where('environment_id', '=', environment_id)
    .where(IS_UNAPPROVED)
    .orderBy('scheduled_at')
    .orderBy('position')
    .limit(limit)
    .forUpdate()
    .execute()
}

export async function countUnapproved(tx: Transaction<Database>, environment_id: string): Promise<number> {
  const { count } = await tx
    .selectFrom('scheduled_changes')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('environment_id', '=', environment_id)
    .where(IS_UNAPPROVED)
    .executeTakeFirstOrThrow()
  return count
}

/**
 * Returns the identity of the author of a change by its recorded name, with the user behind it: a user, or
 * the only key of this name. Undefined when there is none any more.
 */
export async function findPlanner(
  tx: Transaction<Database>,
  environment_id: string,
  scheduled_by: string,
): Promise<{ identity: string; user_id: number | null } | undefined> {
  const { rows } = await sql<{ identity: string; user_id: number | null }>`
    select 'user:' || id as identity, id as user_id from users where lower(email) = lower(${scheduled_by})
    union all
    select 'sdk_key:' || id, created_by from sdk_keys
    where environment_id = ${environment_id}::uuid and 'sdk-key:' || name = ${scheduled_by}
    limit 2
  `.execute(tx)
  return rows.length === 1 ? rows[0] : undefined
}

/** Returns those of the scheduled changes that are pending. */
export async function findPendingAmong(
  db: Kysely<Database>,
  environment_id: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .selectFrom('scheduled_changes')
    .select('id')
    .where('environment_id', '=', environment_id)
    .where('id', 'in', ids)
    .where('executed_at', 'is', null)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

export async function removeScheduledChange(tx: Transaction<Database>, id: string): Promise<void> {
  await tx.deleteFrom('scheduled_changes').where('id', '=', id).execute()
}

export async function removePendingChanges(
  tx: Transaction<Database>,
  environment_id: string,
  flag_key: string,
): Promise<void> {
  await tx
    .deleteFrom('scheduled_changes')
    .where('environment_id', '=', environment_id)
    .where('flag_key', '=', flag_key)
    .where('executed_at', 'is', null)
    .execute()
}
