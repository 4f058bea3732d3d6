import { EXCEEDED_BOUNDS_MAX, type exceededBoundEndpoints } from '@burgee/contract'
import { actorIdentity, isWorkspaceAdmin } from '../../kernel/actor.ts'
import { mayInEnvironment } from '../../kernel/scope.ts'
import type { Analyses } from '../../platform/concurrency/analyses.ts'
import { shareTurn } from '../../platform/concurrency/turns.ts'
import type { EndpointHandlers } from '../../platform/replies/endpoint-handler.ts'
import type { ExceededBounds } from './find-exceeded-bounds.ts'

interface ExceededBoundsHandlerDeps {
  readonly analyses: Analyses
  readonly exceededBounds: ExceededBounds
}

export function exceededBoundHandlers({
  analyses,
  exceededBounds,
}: ExceededBoundsHandlerDeps): EndpointHandlers<typeof exceededBoundEndpoints> {
  return {
    async listExceededBounds({ actor, scope }) {
      const isReadable = (id: string) => mayInEnvironment(actor, scope, 'read_environment', id)
      const body = await analyses.run(actorIdentity(actor), async () => [
        ...(await exceededBounds.ofProject(scope.project_id, isReadable, shareTurn)),
        ...(isWorkspaceAdmin(actor) ? await exceededBounds.ofWorkspace(shareTurn) : []),
      ])
      return { status: 200, body: body.slice(0, EXCEEDED_BOUNDS_MAX) }
    },
  }
}
