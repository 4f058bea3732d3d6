import type { revertEndpoints } from '@burgee/contract'
import { lacksIn, mayInEnvironment } from '../../kernel/scope.ts'
import type { EndpointHandlers } from '../../platform/replies/endpoint-handler.ts'
import { type RevertDeps, revertEnvironment } from './revert-environment.ts'

export function revertHandlers(deps: RevertDeps): EndpointHandlers<typeof revertEndpoints> {
  return {
    async revertEnvironment({ actor, body, scope }) {
      const environment_id = scope.environment.id
      const mayWriteSegments =
        actor.kind === 'sdk_key' || mayInEnvironment(actor, scope, 'write_segments', environment_id)
      const requireSegments = () => {
        if (!mayWriteSegments)
          throw lacksIn('write_segments', { project_id: scope.project_id, environment_id })
      }
      const result = await revertEnvironment(deps, actor, {
        ...{ environment_id, project_id: scope.project_id },
        ...{ input: body, requireSegments },
      })
      const isWaiting = (result.change_requests ?? []).length > 0
      return isWaiting ? { status: 202, body: result } : { status: 200, body: result }
    },
  }
}
