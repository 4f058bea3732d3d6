import { FlagInput, findUnknownFields, type flagEndpoints, type Warning } from '@burgee/contract'
import { actorIdentity } from '../../kernel/actor.ts'
import { etagOf } from '../../kernel/etag-of.ts'
import type { EvaluationSets } from '../../kernel/evaluation-set.ts'
import { notFound } from '../../kernel/refusal.ts'
import { withWarnings } from '../../kernel/with-warnings.ts'
import type { Clock } from '../../platform/clock.ts'
import { createKeyedQueue } from '../../platform/concurrency/keyed-queue.ts'
import { shareTurn } from '../../platform/concurrency/turns.ts'
import { rowExists } from '../../platform/db/row-exists.ts'
import type { EndpointHandlers } from '../../platform/replies/endpoint-handler.ts'
import type { ListDeps } from '../../platform/replies/reply-with-list.ts'
import { JSON_HEADERS, streamJsonList } from '../../platform/replies/stream-json.ts'
import type { FlagOperation } from '../flag-model/index.ts'
import { preconditionsOf } from '../flag-model/index.ts'
import { listFlags } from '../flags/index.ts'
import { type ImpactOf, limitChangedUsers } from '../stored-impacts/index.ts'
import { type BulkDeps, changeFlagsInBulk } from './change-flags-in-bulk.ts'
import { compareFlags } from './compare-flags.ts'
import { replyWithHistory } from './flag-history.ts'
import { getFlag } from './get-flag.ts'
import { type OperatedFlag, operateOnFlag, type QueuedChange } from './operate-on-flag.ts'
import { previewFlag } from './preview-flag.ts'
import { type PromoteDeps, promoteFlag } from './promote-flag.ts'
import { restoreFlag } from './restore-flag.ts'

export interface FlagDeps extends ListDeps {
  readonly writes: BulkDeps & PromoteDeps & { readonly impactOf: ImpactOf }
  readonly clock: Pick<Clock, 'monotonicMs'>
  readonly sets: EvaluationSets
}

const FLAG_FIELDS = Object.keys(FlagInput.properties)

export function flagHandlers({
  clock,
  sets,
  writes,
  ...lists
}: FlagDeps): EndpointHandlers<typeof flagEndpoints> {
  const comparison = { ...lists, clock, sets, analyses: createKeyedQueue() }
  const { db } = lists
  const operate = operateFor(writes)
  return {
    listFlags: ({ query, scope }) => listFlags(lists, { ...query, environment_id: scope.environment.id }),
    async getFlag({ params, scope }) {
      const { flag, warnings } = await getFlag(db, scope.environment.id, params.key)
      return { status: 200, body: withWarnings(flag, warnings), headers: { etag: etagOf(flag.revision) } }
    },
    async putFlag({ body, ...request }) {
      const operation = { operation: 'replace', flag: body } as const
      const done = await operate(request, body.key, operation)
      await shareTurn()
      return written(done, findUnknownFields(body, FLAG_FIELDS))
    },
    async previewFlag({ body, scope }) {
      const { warnings, ...preview } = await previewFlag(writes, {
        environment_id: scope.environment.id,
        flag: body,
      })
      await shareTurn()
      const unknownFields = findUnknownFields(body, FLAG_FIELDS)
      return { status: 200, body: { ...preview, warnings: [...warnings, ...unknownFields] } }
    },
    async patchFlag({ body, ...request }) {
      const operation = { operation: 'patch', patch: body } as const
      const { params, query, scope } = request
      const limited = {
        caller: actorIdentity(request.actor),
        scope,
        change: { ...operation, flag_key: params.key },
        maxChangedUsers: query.max_changed_users,
      }
      const done = await limitChangedUsers(writes.impactOf, limited, (atRevision) =>
        operate(request, params.key, operation, atRevision),
      )
      await shareTurn()
      return written(done, findUnknownFields(body, FLAG_FIELDS))
    },
    async deleteFlag(request) {
      const done = await operate(request, request.params.key, { operation: 'delete' })
      return done.kind === 'queued' ? queued(done) : { status: 204, body: null }
    },
    async archiveFlag(request) {
      return written(await operate(request, request.params.key, { operation: 'archive' }))
    },
    async unarchiveFlag(request) {
      return written(await operate(request, request.params.key, { operation: 'unarchive' }))
    },
    async promoteFlag({ actor, body, params, scope }) {
      const source = { scope, sourceEnvironmentId: scope.environment.id, key: params.key }
      return written(await promoteFlag(writes, actor, { ...source, input: body }))
    },
    async getFlagHistory({ params, query, scope }) {
      const environment_id = scope.environment.id
      if (!(await rowExists(db, 'flags', { environment_id, key: params.key }))) throw notFound('flag')
      return replyWithHistory(lists, { ...query, environment_id, key: params.key })
    },
    async restoreFlag({ actor, body, headers, params, scope }) {
      const at = { environment_id: scope.environment.id, key: params.key }
      const input = { ...at, revision: body.revision, preconditions: preconditionsOf(headers) }
      return written(await restoreFlag(writes, actor, input))
    },
    async changeFlagsInBulk({ actor, body, scope }) {
      const input = { environment_id: scope.environment.id, input: body }
      const results = changeFlagsInBulk(writes, actor, input)
      const wrap = { before: '{"results":', after: '}' }
      return { status: 200, bytes: streamJsonList(results, wrap), headers: JSON_HEADERS }
    },
    compareFlags: ({ actor, query, scope }) => compareFlags(comparison, actor, { ...query, scope }),
  }
}

type OperateRequest = Pick<
  Parameters<EndpointHandlers<typeof flagEndpoints>['archiveFlag']>[0],
  'actor' | 'headers' | 'scope'
>

function operateFor(writes: FlagDeps['writes']) {
  return (
    { actor, headers, scope }: OperateRequest,
    key: string,
    operation: FlagOperation,
    atRevision?: number,
  ): Promise<OperatedFlag> => {
    const environment_id = scope.environment.id
    const preconditions = preconditionsOf(headers)
    return operateOnFlag(writes, actor, { environment_id, key, operation, preconditions, atRevision })
  }
}

function written(done: OperatedFlag, unknownFields: readonly Warning[] = []) {
  if (done.kind === 'queued') return queued(done, unknownFields)
  const { flag, times, warnings } = done
  if (!flag) throw notFound('flag')
  const body = withWarnings({ ...flag, ...times }, [...warnings, ...unknownFields])
  return { status: 200, body, headers: { etag: etagOf(flag.revision) } } as const
}

function queued({ change_request, warnings }: QueuedChange, unknownFields: readonly Warning[] = []) {
  return { status: 202, body: withWarnings(change_request, [...warnings, ...unknownFields]) } as const
}
