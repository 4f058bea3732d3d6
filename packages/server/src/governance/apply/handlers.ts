import type { applyEndpoints } from '@burgee/contract'
import { lacksIn, mayInEnvironment } from '../../kernel/scope.ts'
import type { EndpointHandlers } from '../../platform/replies/endpoint-handler.ts'
import { type ApplyDeps, applyEnvironment } from './apply-environment.ts'

export function applyHandlers(deps: ApplyDeps): EndpointHandlers<typeof applyEndpoints> {
  return {
    async applyEnvironment({ actor, body, scope }) {
      const environment_id = scope.environment.id
      const mayWriteSegments =
        actor.kind === 'sdk_key' || mayInEnvironment(actor, scope, 'write_segments', environment_id)
      if ((body.segments ?? []).length > 0 && !mayWriteSegments)
        throw lacksIn('write_segments', { project_id: scope.project_id, environment_id })
      const result = await applyEnvironment(deps, actor, {
        environment_id,
        project_id: scope.project_id,
        input: body,
      })
      const isWaiting = (result.change_requests ?? []).length > 0
      return isWaiting ? { status: 202, body: result } : { status: 200, body: result }
    },
  }
}
