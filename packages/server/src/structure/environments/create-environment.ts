import { DEFAULT_ENVIRONMENT_COLOR, type Environment, type EnvironmentInput } from '@burgee/contract'
import { type WorkspaceWriteDeps, writeWorkspace } from '../../changes/index.ts'
import type { Actor } from '../../kernel/actor.ts'
import { conflict, notFound } from '../../kernel/refusal.ts'
import { environmentAudit } from './environment-audit.ts'
import { insertEnvironment, lockProjectForShare } from './queries.ts'

export interface EnvironmentDeps extends WorkspaceWriteDeps {
  readonly newId: () => string
}

/**
 * Adds an environment at the end of the project's list. Refuses with `conflict` when the project already has
 * its slug. Streams of users who may read it gain it.
 */
export async function createEnvironment(
  deps: EnvironmentDeps,
  actor: Actor,
  { input, project_id }: { readonly project_id: string; readonly input: EnvironmentInput },
): Promise<Environment> {
  const { color = DEFAULT_ENVIRONMENT_COLOR, name, slug } = input
  return writeWorkspace(deps, actor, async ({ now, tx }) => {
    if (!(await lockProjectForShare(tx, project_id))) throw notFound('project')
    const row = { id: deps.newId(), project_id, name, slug, color, is_default: false, created_at: now }
    const created = await insertEnvironment(tx, row)
    if (!created) {
      throw conflict(`The project has an environment with the slug "${slug}" already. Choose another slug.`)
    }
    return {
      result: created,
      audit: environmentAudit({ project_id, action: 'create', before: null, after: created }),
      changesAccess: true,
    }
  })
}
