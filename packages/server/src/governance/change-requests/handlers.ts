import type { ChangeRequest, changeRequestEndpoints } from '@burgee/contract'
import { actorIdentity } from '../../kernel/actor.ts'
import { createCheckBudget } from '../../kernel/check-budget.ts'
import { etagOf } from '../../kernel/etag-of.ts'
import { notFound } from '../../kernel/refusal.ts'
import { type EnvironmentScope, mayInEnvironment, type ProjectScope } from '../../kernel/scope.ts'
import type { Clock } from '../../platform/clock.ts'
import type { EndpointHandlers } from '../../platform/replies/endpoint-handler.ts'
import type { ListDeps } from '../../platform/replies/reply-with-list.ts'
import type { OperationMoment } from '../../targeting/flag-model/index.ts'
import { type ImpactOf, limitChangedUsers, type Subject } from '../../targeting/stored-impacts/index.ts'
import { type ApproveDeps, approveChangeRequest } from './approve-change-request.ts'
import { cancelChangeRequest } from './cancel-change-request.ts'
import { commentOnChangeRequest } from './comment-on-change-request.ts'
import { listAllChangeRequests } from './list-all-change-requests.ts'
import { listChangeRequests, readChangeRequest } from './list-change-requests.ts'
import type { ReviewInput } from './lock-for-review.ts'
import { rejectChangeRequest } from './reject-change-request.ts'

export function changeRequestHandlers({
  clock,
  impacts,
  writes,
  ...lists
}: ListDeps & {
  readonly clock: Clock
  /** Waits for the impact of a request that was just opened. */
  readonly impacts: { readonly settle: (subject: Subject) => Promise<void> }
  readonly writes: ApproveDeps & { readonly impactOf: ImpactOf }
}): EndpointHandlers<typeof changeRequestEndpoints> {
  const moment = (): OperationMoment => ({
    now: clock.now().toISOString(),
    budget: createCheckBudget(clock.monotonicMs),
  })
  const read = async (environment_id: string, id: number): Promise<ChangeRequest> => {
    const request = await readChangeRequest(lists.db, { environment_id, id, moment: moment() })
    if (!request) throw notFound('change request')
    return request
  }
  return {
    listChangeRequests: ({ actor, query, scope }) =>
      listChangeRequests(lists, {
        ...query,
        actor,
        membership: scope.membership,
        status: query.status,
        environment_id: scope.environment.id,
        moment: moment(),
      }),
    listAllChangeRequests: ({ actor, query }) => listAllChangeRequests(lists, actor, query),
    async getChangeRequest({ params, scope }) {
      await impacts.settle(`change_request:${params.id}`)
      return { status: 200, body: await read(scope.environment.id, params.id) }
    },
    async commentOnChangeRequest({ actor, body, params, scope }) {
      const environment_id = scope.environment.id
      const mayReview =
        actor.kind === 'sdk_key' || mayInEnvironment(actor, scope, 'review_changes', environment_id)
      const input = { environment_id, id: params.id, text: body.text, mayReview }
      await commentOnChangeRequest(writes, actor, input)
      return { status: 200, body: await read(environment_id, params.id) }
    },
    async approveChangeRequest({ actor, body, params, query, scope }) {
      const place = placeOf(scope, params)
      const limited = {
        caller: actorIdentity(actor),
        scope,
        change: { change_request_id: params.id },
        maxChangedUsers: query.max_changed_users,
      }
      const done = await limitChangedUsers(writes.impactOf, limited, (atRevision) =>
        approveChangeRequest(writes, actor, {
          ...{ ...place, atRevision, seenRevision: body.revision },
          bypassReason: body.bypass_reason ?? null,
        }),
      )
      if (done.kind === 'recorded') return { status: 202, body: done.request }
      return { status: 200, body: done.flag, headers: { etag: etagOf(done.flag.revision) } }
    },
    async rejectChangeRequest({ actor, body, params, scope }) {
      const input = { ...placeOf(scope, params), reason: body.reason ?? null }
      await rejectChangeRequest(writes, actor, input)
      return { status: 204, body: null }
    },
    async cancelChangeRequest({ actor, params, scope }) {
      await cancelChangeRequest(writes, actor, placeOf(scope, params))
      return { status: 204, body: null }
    },
  }
}

const placeOf = (
  { environment, membership }: ProjectScope & { readonly environment: EnvironmentScope },
  { id }: { readonly id: number },
): ReviewInput => ({ environment_id: environment.id, id, membership })
