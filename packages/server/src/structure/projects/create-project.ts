import type { CreatedProject } from '@burgee/contract'
import { type WorkspaceWriteDeps, writeWorkspace } from '../../changes/index.ts'
import type { UserActor } from '../../kernel/actor.ts'
import { insertProject } from './insert-project.ts'

export interface ProjectDeps extends WorkspaceWriteDeps {
  readonly newId: () => string
}

/**
 * Creates a project. Refuses with `conflict` when its slug exists. Streams of workspace admins gain its
 * environments.
 */
export async function createProject(
  deps: ProjectDeps,
  actor: UserActor,
  { name, slug }: { readonly name: string; readonly slug?: string | null | undefined },
): Promise<CreatedProject> {
  return writeWorkspace(deps, actor, async ({ now, tx }) => {
    const project = await insertProject(tx, { name, slug, now, newId: deps.newId, createdBy: actor.user_id })
    return {
      result: project,
      audit: {
        project_id: project.id,
        environment_id: null,
        action: 'create',
        before: null,
        after: { name: project.name, slug: project.slug },
        metadata: { origin: 'direct', resource: `project:${project.id}` },
      },
      changesAccess: true,
    }
  })
}
