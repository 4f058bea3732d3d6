import type { ChangeRequest, Flag, RequestedWith } from '@burgee/contract'
import type { JsonValue } from '@burgee/evaluation'
import { type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import type { ListQuery } from '../../platform/db/bounded-page.ts'
import { jsonRow } from '../../platform/db/json-row.ts'
import type { Database, StoredApproval } from '../../platform/db/tables.ts'
import type { ApprovalSettings, Caller } from './change-request.ts'
import { isOfOthers } from './tie-queries.ts'

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
  readonly requester_user_id: number | null
  readonly requested_with: RequestedWith | null
  readonly comment: string | null
  /** Null when the flag would be created. */
  readonly base_flag: Flag | null
  readonly created_at: string
}

export async function insertChangeRequest(
  tx: Transaction<Database>,
  { base_flag, body, patch, requested_with, ...request }: NewChangeRequest,
): Promise<StoredChangeRequest> {
  return tx
    .insertInto('change_requests')
    .values({
      ...request,
      requester_maker_ids: makersOf(request.requester_user_id),
      patch: JSON.stringify(patch),
      body: JSON.stringify(body),
      base_flag: JSON.stringify(base_flag),
      requested_with: requested_with && JSON.stringify(requested_with),
      decided: null,
      reviewed_by: null,
      review_comment: null,
      reason: null,
      reviewed_at: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Those who made the service account, or none. */
const makersOf = (user_id: number | null) =>
  sql<number[]>`coalesce((select maker_ids from users where id = ${user_id}::int), '{}')`

/** The columns that the list reads of a request. */
const LISTED = [
  'id',
  'environment_id',
  'flag_key',
  'operation',
  'patch',
  'body',
  'scheduled_at',
  'status',
  'requested_by',
  'requester',
  'requested_with',
  'comment',
  'review_comment',
  'reviewed_by',
  'reason',
  'approvals',
  'bypass_reason',
  'base_flag',
  'decided',
  'created_at',
  'reviewed_at',
  'bytes',
] as const
/** The size of a preview relative to a flag: the flag before and after, and the differences. */
const PREVIEW_FACTOR = 4
/** The size of a request without the flags before and after it, which only previews need. */
export const SHOWN_BYTES = sql`(500 + octet_length(patch::text) + octet_length(body::text) + coalesce(octet_length(reason), 0)
  + coalesce(octet_length(requested_with::text), 0))`

export const STORED = LISTED.filter((column) => !['bytes', 'base_flag', 'decided'].includes(column))

/** The rank of a request in a list: pending ones come first. */
const RANK = sql`case status when 'pending' then 0 else 1 end`

/**
 * Lists requests of an environment, of one status or all, after the place `after`: first the pending ones,
 * then the others, each part newest first.
 */
export const changeRequestList = (
  { preview, ...filter }: ChangeRequestFilter & { readonly preview: boolean },
  after: { readonly rank: number; readonly id: number } | null,
): ListQuery => ({
  rows: sql`
    select ${sql.join(STORED.map((column) => sql.ref(column)))}, ${RANK} as rank,
      case when ${preview}::boolean then base_flag end as base_flag,
      case when ${preview}::boolean then decided end as decided,
      case when not ${preview}::boolean then ${SHOWN_BYTES} else bytes * ${PREVIEW_FACTOR}::int end as bytes
    from change_requests
    where ${sql.join(conditionsOf(filter), sql` and `)}
      and (${after === null}::boolean or ${RANK} > ${after?.rank ?? 0}::bigint
        or (${RANK} = ${after?.rank ?? 0}::bigint and id < ${after?.id ?? 0}::bigint))`,
  orderBy: sql`rank, id desc`,
  item: jsonRow(LISTED, ['scheduled_at', 'created_at', 'reviewed_at']),
  place: sql`json_build_array(rank, id)`,
})

export interface ChangeRequestFilter {
  readonly environment_id: string
  readonly status: ChangeRequest['status'] | undefined
  /** A part of the flag key, the requester or the comment. */
  readonly q?: string | undefined
  /** Only requests of this requester (`actorIdentity`). */
  readonly requester?: string | undefined
  /** Only pending requests that this caller may approve. */
  readonly waitingFor?: Caller | undefined
}

function conditionsOf({ environment_id, q = '', requester, status, waitingFor }: ChangeRequestFilter) {
  const conditions = [sql<boolean>`environment_id = ${environment_id}::uuid`]
  if (status !== undefined) conditions.push(sql`status = ${status}::text`)
  if (requester !== undefined) conditions.push(sql`requester = ${requester}::text`)
  if (waitingFor) conditions.push(isWaitingFor(waitingFor))
  if (q !== '') {
    const texts = [sql`flag_key`, sql`requested_by`, sql`coalesce(comment, '')`]
    const found = texts.map((text) => sql<boolean>`strpos(lower(${text}), lower(${q}::text)) > 0`)
    conditions.push(sql`(${sql.join(found, sql` or `)})`)
  }
  return conditions
}

/** The rule of `findReviewRefusal` for approvals. An own approval of the current flag waits for others. */
export function isWaitingFor({ identity, mayApprove, person, reviewer }: Caller) {
  if (!mayApprove) return sql<boolean>`false`
  return sql<boolean>`(status = 'pending' and requester <> ${identity}::text
    and ${isOfOthers(person)}
    and not exists (
      select from json_array_elements(approvals) a
      where a ->> 'identity' = ${reviewer}::text and (a ->> 'flag_revision')::bigint is not distinct from (
        select f.revision from flags f
        where f.environment_id = change_requests.environment_id and f.key = change_requests.flag_key)))`
}

/** Returns the approval settings of an environment; undefined when it does not exist. */
export async function findApprovalSettings(
  db: Kysely<Database>,
  environment_id: string,
): Promise<ApprovalSettings | undefined> {
  return db
    .selectFrom('environments')
    .select(['require_approval', 'approval_scope', 'approvers'])
    .where('id', '=', environment_id)
    .executeTakeFirst()
}

/** Locks a request against other reviews until the transaction ends. */
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

export async function findChangeRequest(
  db: Kysely<Database>,
  environment_id: string,
  id: number,
): Promise<StoredChangeRequest | undefined> {
  return db
    .selectFrom('change_requests')
    .selectAll()
    .where('environment_id', '=', environment_id)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Stores the approvals of a request that needs more of them. */
export async function putApprovals(
  tx: Transaction<Database>,
  id: number,
  approvals: readonly StoredApproval[],
): Promise<StoredChangeRequest> {
  return tx
    .updateTable('change_requests')
    .set({ approvals: JSON.stringify(approvals) })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function addRequestComment(
  tx: Transaction<Database>,
  id: number,
  comments: StoredChangeRequest['comments'],
): Promise<void> {
  await tx
    .updateTable('change_requests')
    .set({ comments: JSON.stringify(comments) })
    .where('id', '=', id)
    .execute()
}

export interface Decision {
  readonly status: ChangeRequest['status']
  readonly reviewed_by: string | null
  readonly reason: string | null
  readonly review_comment: string | null
  readonly approvals?: readonly StoredApproval[]
  readonly bypass_reason?: string | null
  readonly reviewed_at: string | null
  /** The change as it was decided; null where it is unknown, and the flag of the request stays stored. */
  readonly change: { readonly before: Flag | null; readonly after: Flag | null } | null
}

export async function decideChangeRequest(
  tx: Transaction<Database>,
  id: number,
  { approvals, change, ...decision }: Decision,
): Promise<StoredChangeRequest> {
  const flags = change && {
    base_flag: JSON.stringify(change.before),
    decided: JSON.stringify({ after: change.after }),
  }
  return tx
    .updateTable('change_requests')
    .set({ ...decision, ...flags, ...(approvals && { approvals: JSON.stringify(approvals) }) })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Returns the content of pending requests that may name the segment. */
export async function listPendingNaming(
  tx: Transaction<Database>,
  environment_id: string,
  segment_key: string,
): Promise<Pick<StoredChangeRequest, 'id' | 'patch' | 'body' | 'base_flag'>[]> {
  return tx
    .selectFrom('change_requests')
    .select(['id', 'patch', 'body', 'base_flag'])
    .where('environment_id', '=', environment_id)
    .where('status', '=', 'pending')
    .where(sql<boolean>`strpos(body::text || patch::text || base_flag::text, ${segment_key}) > 0`)
    .forUpdate()
    .execute()
}

export async function updateProposal(
  tx: Transaction<Database>,
  id: number,
  proposal: { readonly patch: JsonValue; readonly body: JsonValue; readonly base_flag: JsonValue },
): Promise<void> {
  const { base_flag, body, patch } = proposal
  await tx
    .updateTable('change_requests')
    .set({ patch: JSON.stringify(patch), body: JSON.stringify(body), base_flag: JSON.stringify(base_flag) })
    .where('id', '=', id)
    .execute()
}

/** Returns the operations of pending requests that name segments, by flag. */
export async function listPendingBodies(
  tx: Kysely<Database>,
  environment_id: string,
): Promise<Pick<StoredChangeRequest, 'flag_key' | 'body'>[]> {
  return tx
    .selectFrom('change_requests')
    .select(['flag_key', 'body'])
    .where('environment_id', '=', environment_id)
    .where('status', '=', 'pending')
    .where(sql<boolean>`strpos(body::text, '"segment_key"') > 0`)
    .execute()
}
