import type { projectEndpoints } from '@burgee/contract'
import { type Actor, isWorkspaceAdmin } from '../../kernel/actor.ts'
import { notFound } from '../../kernel/refusal.ts'
import type { EndpointHandlers } from '../../platform/replies/endpoint-handler.ts'
import { createProject, type ProjectDeps } from './create-project.ts'
import { deleteProject } from './delete-project.ts'
import { listProjects, type ProjectAudience } from './queries.ts'
import { renameProject } from './rename-project.ts'

export function projectHandlers(deps: ProjectDeps): EndpointHandlers<typeof projectEndpoints> {
  return {
    async listProjects({ actor }) {
      return { status: 200, body: await listProjects(deps.db, audienceOf(actor)) }
    },
    async getProject({ scope }) {
      const { project_id } = scope
      const [project] = await listProjects(deps.db, { kind: 'one', project_id })
      if (!project) throw notFound('project')
      return { status: 200, body: project }
    },
    async createProject({ actor, body }) {
      const created = await createProject(deps, actor, body)
      // Only this response shows the key.
      return { status: 200, body: created, headers: { 'cache-control': 'no-store' } }
    },
    async updateProject({ actor, body, scope }) {
      const { project_id } = scope
      return { status: 200, body: await renameProject(deps, actor, { project_id, name: body.name }) }
    },
    async deleteProject({ actor, scope }) {
      await deleteProject(deps, actor, scope)
      return { status: 204, body: null }
    },
  }
}

/**
 * Returns the visible projects: all for workspace admins, their own for members, that of its environment for
 * a server key (docs/reference/access.md).
 */
function audienceOf(actor: Actor): ProjectAudience {
  if (actor.kind === 'sdk_key') return { kind: 'one', project_id: actor.project_id }
  return isWorkspaceAdmin(actor) ? { kind: 'all' } : { kind: 'member', user_id: actor.user_id }
}
