import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { Environment } from '../schemas/environment.ts'
import { CreatedProject, Project, ProjectInput } from '../schemas/project.ts'
import { projectParams } from './params.ts'

export const projectEndpoints = {
  listProjects: endpoint({
    method: 'GET',
    path: '/api/projects',
    summary: 'Projects that the caller may see',
    description: 'All for workspace admins, those with a membership for others, its own for a server key.',
    tag: 'Project',
    access: 'list_projects',
    responses: { 200: Type.Array(Project) },
  }),
  createProject: endpoint({
    method: 'POST',
    path: '/api/projects',
    summary: 'Create a project with its three environments and a Production key',
    tag: 'Project',
    access: 'workspace_admin',
    body: ProjectInput,
    responses: { 200: CreatedProject },
    errors: [409],
  }),
} as const

export const environmentEndpoints = {
  listEnvironments: endpoint({
    method: 'GET',
    path: '/api/projects/:project_id/environments',
    summary: "A project's environments",
    tag: 'Environment',
    access: 'read_project',
    params: projectParams,
    responses: { 200: Type.Array(Environment) },
  }),
} as const
