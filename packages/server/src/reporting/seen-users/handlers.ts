import type { seenUserEndpoints } from '@burgee/contract'
import { type WorkspaceWriteDeps, writeWorkspace } from '../../changes/index.ts'
import type { EndpointHandlers } from '../../platform/replies/endpoint-handler.ts'
import { type RemoveSeenUserDeps, removeSeenUser } from './remove-seen-user.ts'

export function seenUserHandlers(
  deps: WorkspaceWriteDeps & RemoveSeenUserDeps,
): EndpointHandlers<typeof seenUserEndpoints> {
  return {
    async deleteSeenUser({ actor, params, scope }) {
      const { environment, project_id } = scope
      await writeWorkspace(deps, actor, async ({ tx }) => {
        await removeSeenUser(deps, tx, { environment_id: environment.id, user_key: params.user_key })
        return {
          result: undefined,
          audit: {
            project_id,
            environment_id: environment.id,
            action: 'delete',
            before: null,
            after: null,
            // Without the key, which would outlive the user here.
            metadata: { origin: 'direct', resource: 'seen_user' },
          },
          changesAccess: false,
        }
      })
      return { status: 204, body: null }
    },
  }
}
