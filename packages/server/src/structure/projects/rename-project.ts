import type { Project } from '@burgee/contract'
import { type WorkspaceWriteDeps, writeWorkspace } from '../../changes/index.ts'
import type { Actor } from '../../kernel/actor.ts'
import { notFound } from '../../kernel/refusal.ts'
import { listProjects, lockProject, renameProjectRow } from './queries.ts'

/**
 * Renames a project; its slug stays (docs/reference/access.md#setup). Refuses with `not_found` when it does
 * not exist.
 */
export async function renameProject(
  deps: WorkspaceWriteDeps,
  actor: Actor,
  { name, project_id }: { readonly project_id: string; readonly name: string },
): Promise<Project> {
  return writeWorkspace(deps, actor, async ({ tx }) => {
    const before = await lockProject(tx, project_id)
    if (!before) throw notFound('project')
    await renameProjectRow(tx, project_id, name)
    const [renamed] = await listProjects(tx, { kind: 'one', project_id })
    if (!renamed) throw notFound('project')
    return {
      result: renamed,
      audit: {
        project_id,
        environment_id: null,
        action: 'update',
        before,
        after: { name, slug: before.slug },
        metadata: { origin: 'direct', resource: `project:${project_id}` },
      },
      changesAccess: false,
    }
  })
}
