import type { changeRequestEndpoints } from '@burgee/contract'
import type { Kysely } from 'kysely'
import type { EndpointHandlers } from '../../kernel/endpoint-handler.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/tables.ts'
import { JSON_HEADERS, streamJsonList } from '../../platform/stream-json.ts'
import { etagOf } from '../flags/index.ts'
import { type ApproveDeps, approveChangeRequest } from './approve-change-request.ts'
import { cancelChangeRequest } from './cancel-change-request.ts'
import { readChangeRequests } from './read-change-requests.ts'
import { rejectChangeRequest } from './reject-change-request.ts'

export function changeRequestHandlers({
  clock,
  db,
  writes,
}: {
  readonly db: Kysely<Database>
  readonly clock: Clock
  readonly writes: ApproveDeps
}): EndpointHandlers<typeof changeRequestEndpoints> {
  return {
    async listChangeRequests({ query, scope }) {
      const of = { environment_id: scope.environment.id, status: query.status }
      const requests = readChangeRequests(db, of, clock.now().toISOString())
      return { status: 200, bytes: streamJsonList(requests), headers: JSON_HEADERS }
    },
    async approveChangeRequest({ actor, params, scope }) {
      const input = { environment_id: scope.environment.id, id: params.id }
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
