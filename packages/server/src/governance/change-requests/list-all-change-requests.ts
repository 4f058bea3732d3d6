import type { ChangeRequest, PlacedChangeRequest } from '@burgee/contract'
import type { Kysely } from 'kysely'
import type { UserActor } from '../../kernel/actor.ts'
import { readCursor } from '../../kernel/list-cursor.ts'
import { listLimit } from '../../kernel/paging.ts'
import { mayInEnvironment } from '../../kernel/scope.ts'
import type { Database } from '../../platform/db/tables.ts'
import type { EncodedReply } from '../../platform/replies/endpoint-handler.ts'
import { type ListDeps, mapInTurns, replyWithList } from '../../platform/replies/reply-with-list.ts'
import { allRequestsList, findReviewPlaces, type PlacedRow } from './all-requests-queries.ts'
import { toCaller } from './change-request.ts'
import { withApprovalsNow } from './reviewer-queries.ts'
import { toChangeRequest } from './to-change-request.ts'

interface ListInput {
  readonly status?: ChangeRequest['status'] | undefined
  readonly mine?: boolean | undefined
  readonly waiting_for_me?: boolean | undefined
  readonly project_id?: string | undefined
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

const NAME = 'all_change_requests'

/** Returns the requests of every environment that the caller may read, the newest first. */
export async function listAllChangeRequests(
  deps: ListDeps,
  actor: UserActor,
  { cursor, limit, project_id, ...filter }: ListInput,
): Promise<EncodedReply> {
  const [after = null] = readCursor(NAME, ['id'], cursor) ?? []
  const environmentIds = await findEnvironments(deps.db, actor, {
    mustReview: filter.waiting_for_me === true,
    project_id,
  })
  return replyWithList(deps, {
    name: NAME,
    query: allRequestsList({ ...filter, actor, environmentIds }, after === null ? null : Number(after)),
    limit: listLimit(limit),
    convert: async (items) => {
      const listed = await mapInTurns(items, (item): PlacedRow => JSON.parse(item))
      return mapInTurns(await withApprovalsNow(deps.db, listed), (row) => JSON.stringify(toPlaced(row)))
    },
  })
}

/** Returns the environments that the caller may read, or of which the caller may approve requests. */
async function findEnvironments(
  db: Kysely<Database>,
  actor: UserActor,
  { mustReview, project_id }: { readonly mustReview: boolean; readonly project_id: string | undefined },
): Promise<string[]> {
  const places = await findReviewPlaces(db, { actor, project_id })
  return places
    .filter((place) => mayInEnvironment(actor, place, 'read_environment', place.environment_id))
    .filter((place) => !mustReview || toCaller(actor, place).mayApprove)
    .map(({ environment_id }) => environment_id)
}

function toPlaced({ environment, project, ...stored }: PlacedRow): PlacedChangeRequest {
  const shown = { comments: null, preview: null, decided_change: null }
  return { ...toChangeRequest(stored, shown), project, environment }
}
