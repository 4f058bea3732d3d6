import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { INCIDENT_IMPACTS_MAX, INCIDENT_LIMIT_DEFAULT } from '../limits.ts'
import { timestamp, uuid } from '../schemas/common.ts'
import { IncidentEntry } from '../schemas/incident.ts'
import { projectParams } from './params.ts'

const window = {
  from: timestamp({ description: 'The beginning of the window, RFC 3339' }),
  to: Type.Optional(timestamp({ description: 'Its end; absent for now' })),
  limit: Type.Optional(
    Type.Integer({
      default: INCIDENT_LIMIT_DEFAULT,
      description: `The newest changes, clamped to 1 to ${INCIDENT_LIMIT_DEFAULT}`,
    }),
  ),
  impact: Type.Optional(
    Type.Boolean({
      description: `Adds the \`impact\` of the first ${INCIDENT_IMPACTS_MAX} when true. A caller has one analysis at a time; when too many wait, it is refused with 503`,
    }),
  ),
}

export const incidentEndpoints = {
  listProjectIncident: endpoint({
    method: 'GET',
    path: '/api/projects/:project_id/incident',
    summary: 'What was changed in a window of time, newest first',
    description:
      'Every write of flags and segments in the environments that the caller may read. `POST /api/environments/{env_id}/revert` undoes them.',
    tag: 'Flag',
    access: 'read_project_flags',
    params: projectParams,
    query: Type.Object({
      ...window,
      environment_id: Type.Optional(uuid({ description: 'Only changes of this environment' })),
    }),
    responses: { 200: Type.Array(IncidentEntry) },
  }),
  listIncident: endpoint({
    method: 'GET',
    path: '/api/incident',
    summary: 'What was changed in a window of time, in all projects, newest first',
    description: 'Every write of flags and segments in every environment that exists.',
    tag: 'Flag',
    access: 'workspace_admin',
    query: Type.Object(window),
    responses: { 200: Type.Array(IncidentEntry) },
  }),
} as const
