import { closeChains, type WorkspaceWriteDeps, writeWorkspace } from '../../changes/index.ts'
import type { Actor } from '../../kernel/actor.ts'
import { invalid, notFound } from '../../kernel/refusal.ts'
import { lockEnvironmentsOf } from '../environments/index.ts'
import { deleteProjectRow, lockAllProjects } from './queries.ts'

/**
 * Deletes a project with everything in it. Its keys stop working and its streams end, on every instance.
 * Refuses with `invalid` for the last project, also when two are deleted at the same time, and with
 * `not_found` when it does not exist.
 */
export async function deleteProject(
  deps: WorkspaceWriteDeps,
  actor: Actor,
  { project_id }: { readonly project_id: string },
): Promise<void> {
  await writeWorkspace(deps, actor, async ({ now, tx }) => {
    // Environments are locked first, as by every write: running writes to flags finish before.
    const environments = await lockEnvironmentsOf(tx, project_id, 'for_deletion')
    const projects = await lockAllProjects(tx)
    const project = projects.find(({ id }) => id === project_id)
    if (!project) throw notFound('project')
    if (projects.length === 1) {
      throw invalid([{ path: '', message: 'The last project cannot be deleted. Create another one first.' }])
    }
    await deleteProjectRow(tx, project_id)
    const closing = environments.map(({ id }) => id)
    const closed_chains = await closeChains(tx, closing, now)
    return {
      result: undefined,
      audit: {
        project_id,
        environment_id: null,
        action: 'delete',
        before: {
          name: project.name,
          slug: project.slug,
          environments: environments.map(({ id, name, slug }) => ({ id, name, slug })),
        },
        after: null,
        metadata: { origin: 'direct', resource: `project:${project_id}`, closed_chains },
      },
      changesAccess: true,
    }
  })
}
