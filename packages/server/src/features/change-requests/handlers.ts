import type { changeRequestEndpoints } from '@burgee/contract'
import { etagOf } from '../../kernel/etag-of.ts'
import { notFound } from '../../kernel/refusal.ts'
import type { Clock } from '../../platform/clock.ts'
import type { EndpointHandlers } from '../../platform/endpoint-handler.ts'
import type { ListDeps } from '../../platform/reply-with-list.ts'
import { type ApproveDeps, approveChangeRequest } from './approve-change-request.ts'
import { cancelChangeRequest } from './cancel-change-request.ts'
import { listChangeRequests, readChangeRequest } from './list-change-requests.ts'
import { rejectChangeRequest } from './reject-change-request.ts'

export function changeRequestHandlers({
  clock,
  writes,
  ...lists
}: ListDeps & {
  readonly clock: Clock
  readonly writes: ApproveDeps
}): EndpointHandlers<typeof changeRequestEndpoints> {
  return {
    listChangeRequests: ({ actor, query, scope }) =>
      listChangeRequests(lists, {
        ...query,
        actor,
        membership: scope.membership,
        status: query.status,
        environment_id: scope.environment.id,
        now: clock.now().toISOString(),
      }),
    async getChangeRequest({ params, scope }) {
      const at = { environment_id: scope.environment.id, id: params.id, now: clock.now().toISOString() }
      const request = await readChangeRequest(lists.db, at)
      if (!request) throw notFound('change request')
      return { status: 200, body: request }
    },
    async approveChangeRequest({ actor, body, params, scope }) {
      const input = { environment_id: scope.environment.id, id: params.id, seenRevision: body.revision }
      const flag = await approveChangeRequest(writes, actor, input)
      return { status: 200, body: flag, headers: { etag: etagOf(flag.revision) } }
    },
    async rejectChangeRequest({ actor, body, params, scope }) {
      const input = { environment_id: scope.environment.id, id: params.id, reason: body.reason ?? null }
      await rejectChangeRequest(writes, actor, input)
      return { status: 204, body: null }
    },
    async cancelChangeRequest({ actor, params, scope }) {
      await cancelChangeRequest(writes, actor, { environment_id: scope.environment.id, id: params.id })
      return { status: 204, body: null }
    },
  }
}
