import type { Environment } from '@burgee/contract'
import { type WorkspaceWriteDeps, writeWorkspace } from '../../changes/index.ts'
import type { Actor } from '../../kernel/actor.ts'
import { notFound } from '../../kernel/refusal.ts'
import { lacksIn, mayInEnvironment, type ProjectScope } from '../../kernel/scope.ts'
import { environmentAudit } from './environment-audit.ts'
import { type EnvironmentPlace, lockEnvironmentsOf, moveDefault } from './queries.ts'

/**
 * Makes an environment the project's default. Of several concurrent calls the last one wins; there is
 * exactly one default at any time. Refuses with `not_found` when it does not exist, and with `forbidden`
 * when the role in the environment that is the default now does not permit it: programs of the legacy
 * SDK_KEY move.
 */
export async function makeEnvironmentDefault(
  deps: WorkspaceWriteDeps,
  { actor, membership }: Pick<ProjectScope, 'membership'> & { readonly actor: Actor },
  place: EnvironmentPlace,
): Promise<Environment> {
  return writeWorkspace(deps, actor, async ({ tx }) => {
    const environments = await lockEnvironmentsOf(tx, place.project_id, 'for_change')
    const before = environments.find(({ id }) => id === place.environment_id)
    if (!before) throw notFound('environment')
    const present = environments.find(({ is_default }) => is_default)
    if (present && !mayInEnvironment(actor, { membership }, 'write_environments', present.id)) {
      throw lacksIn('write_environments', { ...place, environment_id: present.id })
    }
    await moveDefault(tx, place)
    const after = { ...before, is_default: true }
    return {
      result: after,
      audit: environmentAudit({ project_id: place.project_id, action: 'update', before, after }),
      // The legacy SDK_KEY belongs to the default environment (docs/operations.md).
      changesAccess: true,
    }
  })
}
