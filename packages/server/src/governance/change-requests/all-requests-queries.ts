import type { ChangeRequest } from '@burgee/contract'
import { type Kysely, sql } from 'kysely'
import { actorIdentity, isWorkspaceAdmin, type UserActor } from '../../kernel/actor.ts'
import type { ListQuery } from '../../platform/db/bounded-page.ts'
import { jsonRow } from '../../platform/db/json-row.ts'
import type { Database } from '../../platform/db/tables.ts'
import { membershipIn, toMembership } from '../../structure/roles/index.ts'
import type { ReviewPlace } from './change-request.ts'
import { isWaitingFor, SHOWN_BYTES, STORED, type StoredChangeRequest } from './queries.ts'

/** A request in the list over all projects. */
export type PlacedRow = StoredChangeRequest & {
  readonly project: { readonly id: string; readonly name: string }
  readonly environment: { readonly id: string; readonly name: string }
}

interface PlacesFilter {
  readonly actor: UserActor
  /** All projects where it is undefined. */
  readonly project_id: string | undefined
}

/** Returns the environments with the user's memberships: all for a workspace admin. */
export async function findReviewPlaces(
  db: Kysely<Database>,
  { actor, project_id }: PlacesFilter,
): Promise<ReviewPlace[]> {
  const { user_id } = actor
  const wanted = project_id ?? null
  const rows = await db
    .selectFrom('environments as e')
    .select(['e.id', 'e.require_approval', 'e.approval_scope', 'e.approvers'])
    .select((eb) => membershipIn(eb.ref('e.project_id'), user_id).as('membership'))
    .where(
      sql<boolean>`(${isWorkspaceAdmin(actor)}::boolean or exists (
        select from project_members m where m.project_id = e.project_id and m.user_id = ${user_id}::int))`,
    )
    .where(sql<boolean>`(${wanted}::uuid is null or e.project_id = ${wanted}::uuid)`)
    .execute()
  return rows.map(({ id, membership, ...settings }) => ({
    environment_id: id,
    membership: membership && toMembership(membership),
    settings,
  }))
}

interface AllRequestsFilter {
  readonly environmentIds: readonly string[]
  readonly actor: UserActor
  readonly status?: ChangeRequest['status'] | undefined
  readonly mine?: boolean | undefined
  readonly waiting_for_me?: boolean | undefined
}

/** Lists the requests of these environments with the names of their places, the newest first. */
export const allRequestsList = (filter: AllRequestsFilter, after: number | null): ListQuery => ({
  rows: sql`
    select ${sql.join(STORED.map((column) => sql.ref(`change_requests.${column}`)))},
      json_build_object('id', e.id, 'name', e.name) as environment,
      json_build_object('id', p.id, 'name', p.name) as project,
      ${SHOWN_BYTES} as bytes
    from change_requests
    join environments e on e.id = change_requests.environment_id
    join projects p on p.id = e.project_id
    where ${sql.join(conditionsOf(filter), sql` and `)}
      and (${after}::bigint is null or change_requests.id < ${after}::bigint)`,
  orderBy: sql`id desc`,
  item: jsonRow([...STORED, 'project', 'environment'], ['scheduled_at', 'created_at', 'reviewed_at']),
  place: sql`json_build_array(id)`,
})

function conditionsOf({ actor, environmentIds, mine, status, waiting_for_me }: AllRequestsFilter) {
  const identity = actorIdentity(actor)
  const conditions = [sql<boolean>`environment_id = any(${[...environmentIds]}::uuid[])`]
  if (status !== undefined) conditions.push(sql`status = ${status}::text`)
  if (mine) conditions.push(sql`requester = ${identity}::text`)
  if (waiting_for_me)
    conditions.push(isWaitingFor({ identity, reviewer: identity, person: actor.user_id, mayApprove: true }))
  return conditions
}
