import { endpoint } from '../endpoint.ts'
import { RevertInput, RevertResult } from '../schemas/revert.ts'
import { environmentParams } from './params.ts'

export const revertEndpoints = {
  revertEnvironment: endpoint({
    method: 'POST',
    path: '/api/environments/:env_id/revert',
    summary: 'Undo changes of flags and segments, all or nothing',
    description:
      'Each field that an entry changed must still be as the entry left it, and becomes what it was before. Later changes of other fields stay. An undo is an entry too, and can be undone. Segments need the permission `write_segments` too.',
    tag: 'Flag',
    access: 'write_flags',
    params: environmentParams,
    body: RevertInput,
    changesNothing: 'dry_run',
    responses: { 200: RevertResult, 202: RevertResult },
    errors: [409],
    refusals: {
      404: 'An entry is not in the audit log of this environment',
      409: 'A field was changed again later; `conflicts` names each',
      422: 'An entry changed no flag and no segment, or the result is invalid',
    },
  }),
} as const
