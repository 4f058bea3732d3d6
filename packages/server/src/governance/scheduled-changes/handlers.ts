import { FlagPatch, findUnknownFields, type scheduledChangeEndpoints, type Warning } from '@burgee/contract'
import type { Actor } from '../../kernel/actor.ts'
import { forbiddenIn, notFound, type Refusal } from '../../kernel/refusal.ts'
import { mayInEnvironment, type ProjectScope } from '../../kernel/scope.ts'
import { withWarnings } from '../../kernel/with-warnings.ts'
import { shareTurn } from '../../platform/concurrency/turns.ts'
import { rowExists } from '../../platform/db/row-exists.ts'
import type { EndpointHandlers } from '../../platform/replies/endpoint-handler.ts'
import type { ListDeps } from '../../platform/replies/reply-with-list.ts'
import { listScheduledChanges } from './list-scheduled-changes.ts'
import { type ScheduleDeps, scheduleChange } from './schedule-change.ts'
import { unscheduleChange } from './unschedule-change.ts'

export function scheduledChangeHandlers({
  writes,
  ...lists
}: ListDeps & { readonly writes: ScheduleDeps }): EndpointHandlers<typeof scheduledChangeEndpoints> {
  return {
    listScheduledChanges: ({ query, scope }) =>
      listScheduledChanges(lists, { ...query, environment_id: scope.environment.id }),
    async listFlagScheduledChanges({ params, query, scope }) {
      const environment_id = scope.environment.id
      if (!(await rowExists(lists.db, 'flags', { environment_id, key: params.key }))) throw notFound('flag')
      return listScheduledChanges(lists, { ...query, environment_id, flag_key: params.key })
    },
    async createScheduledChange({ actor, body, params, scope }) {
      const environment_id = scope.environment.id
      const refuseAtOnce = findRefusalAtOnce(actor, scope, environment_id)
      const input = { environment_id, key: params.key, input: body, refuseAtOnce }
      const done = await scheduleChange(writes, actor, input)
      await shareTurn()
      const warnings = [...done.warnings, ...findUnknownPatchFields(body.patch)]
      return done.kind === 'queued'
        ? { status: 202, body: withWarnings(done.change_request, warnings) }
        : { status: 200, body: withWarnings(done.scheduled_change, warnings) }
    },
    async deleteScheduledChange({ actor, params, scope }) {
      const input = { environment_id: scope.environment.id, id: params.id.toLowerCase() }
      const request = await unscheduleChange(writes, actor, input)
      return request ? { status: 202, body: request } : { status: 204, body: null }
    },
  }
}

/** Returns the refusal of a change at once for callers who may schedule only; null for the others. */
function findRefusalAtOnce(actor: Actor, scope: ProjectScope, environment_id: string): Refusal | null {
  // A server key has both rights in its environment.
  if (actor.kind === 'sdk_key' || mayInEnvironment(actor, scope, 'write_flags', environment_id)) return null
  return forbiddenIn({
    ...{ project_id: scope.project_id, environment_id },
    describe: (environment) =>
      `A change that is due within a minute needs the permission write_flags in ${environment}, which your role there lacks. Choose a later time, or ask an admin of the project.`,
  })
}

/** Returns unknown fields with their paths in the request body. */
const findUnknownPatchFields = (patch: object): Warning[] =>
  findUnknownFields(patch, Object.keys(FlagPatch.properties)).map((warning) => ({
    ...warning,
    path: `/patch${warning.path}`,
  }))
