import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { CreatedProject, NewProjectInput, Project, ProjectInput } from '../schemas/project.ts'
import { Warned } from '../schemas/warning.ts'
import { listQuery } from './list-query.ts'
import { projectParams } from './params.ts'

export const projectEndpoints = {
  listProjects: endpoint({
    method: 'GET',
    path: '/api/projects',
    summary: 'Projects that the caller may see',
    description:
      'All projects for workspace admins, those with a membership for other users, and its own for a server key.',
    tag: 'Project',
    access: 'list_projects',
    query: Type.Object(listQuery),
    responses: { 200: Type.Array(Project) },
    sends: ['X-Next-Cursor'],
    listedBy: 'id',
  }),
  createProject: endpoint({
    method: 'POST',
    path: '/api/projects',
    summary: 'Create a project with its three environments and a Production key',
    description:
      'The environments are Production, Staging and Development, which is the default. Only this response has the full key. Without `slug` it is derived from the name.',
    tag: 'Project',
    access: 'workspace_admin',
    body: NewProjectInput,
    responses: { 200: CreatedProject },
    errors: [409],
    refusals: {
      409: 'Another project already has this slug, or the one of the name',
    },
  }),
  getProject: endpoint({
    method: 'GET',
    path: '/api/projects/:project_id',
    summary: 'One project',
    description: 'The same fields as in the list.',
    tag: 'Project',
    access: 'read_project',
    params: projectParams,
    responses: { 200: Project },
  }),
  updateProject: endpoint({
    method: 'PATCH',
    path: '/api/projects/:project_id',
    summary: 'Rename a project; its slug stays',
    description: 'SDKs are not affected: keys and environments stay.',
    tag: 'Project',
    access: 'write_project',
    params: projectParams,
    body: ProjectInput,
    ignores: ['slug'],
    responses: { 200: Warned(Project) },
  }),
  deleteProject: endpoint({
    method: 'DELETE',
    path: '/api/projects/:project_id',
    summary: 'Delete a project with everything in it',
    description:
      'Its environments, flags, keys and impressions are deleted with it, and open streams end. The last project cannot be deleted (422).',
    tag: 'Project',
    access: 'delete_project',
    needsRecentLogin: true,
    params: projectParams,
    responses: { 204: null },
    errors: [422],
    refusals: {
      422: 'This is the last project',
    },
  }),
} as const
