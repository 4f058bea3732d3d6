import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { EXCEEDED_BOUNDS_MAX } from '../limits.ts'
import { ExceededBound } from '../schemas/exceeded-bound.ts'
import { listQuery } from './list-query.ts'
import { projectParams } from './params.ts'

/** The stored things that exceed a later bound (docs/operations.md#what-exceeds-a-bound). */
export const exceededBoundEndpoints = {
  listExceededBounds: endpoint({
    method: 'GET',
    path: '/api/projects/:project_id/exceeded-bounds',
    summary: 'What is stored and exceeds a later bound',
    description: `It goes on, and can be reduced. Only rules whose evaluation can take too many steps can grow, with a warning. At most ${EXCEEDED_BOUNDS_MAX} are found; the others follow when these are reduced. Environments that the caller may not read are left out. Workspace admins get the names of the workspace too.`,
    tag: 'Project',
    access: 'write_project',
    params: projectParams,
    query: Type.Object(listQuery),
    responses: { 200: Type.Array(ExceededBound) },
    sends: ['X-Next-Cursor'],
    listedBy: 'id',
  }),
} as const
