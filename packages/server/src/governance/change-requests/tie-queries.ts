import { type RawBuilder, sql, type Transaction } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'
import type { ReviewTies } from './change-request.ts'

/**
 * The user and those who made it, where it is a service account, also a deleted one: keys that it created
 * stay.
 */
const peopleOf = (id: RawBuilder<unknown>) =>
  sql<number[]>`(array[${id}] || coalesce((select u.maker_ids from users u where u.id = ${id}),
    (select f.maker_ids from former_service_accounts f where f.id = ${id}), '{}'))`

/**
 * Those behind the request in `change_requests`. They are stored with it, because a service account may be
 * deleted, and read again, because it may have got more tokens.
 */
const REQUESTERS = sql<number[]>`(requester_maker_ids || ${peopleOf(sql`requester_user_id`)})`

/** Returns whether no person is behind both the request and this user. Without a user it is true. */
export const isOfOthers = (person: number | null) =>
  sql<boolean>`(${person}::int is null or not (${peopleOf(sql`${person}::int`)} && ${REQUESTERS}))`

interface Reviewer {
  /** The id of the request. */
  readonly id: number
  /** The user behind the reviewer. */
  readonly person: number
  /** The identity of their approvals. */
  readonly identity: string
}

/** Returns the ties of a reviewer to a request. */
export async function readTies(
  tx: Transaction<Database>,
  { id, identity, person }: Reviewer,
): Promise<ReviewTies> {
  const approver = sql`substring(a ->> 'identity' from '^user:([0-9]+)$')::int`
  const { rows } = await sql<ReviewTies>`
    select not ${isOfOthers(person)} as "isOwn", exists (
      select from json_array_elements(approvals) a
      where a ->> 'identity' <> ${identity}::text
        and ${peopleOf(sql`${person}::int`)} && ${peopleOf(approver)}) as "hasApproved"
    from change_requests where id = ${id}::bigint
  `.execute(tx)
  return rows[0] ?? { isOwn: false, hasApproved: false }
}
