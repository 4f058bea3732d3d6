import { endpoint } from '../endpoint.ts'
import { APPLY_BODY_MAX_BYTES } from '../limits.ts'
import { ApplyInput, ApplyResult } from '../schemas/apply.ts'
import { environmentParams } from './params.ts'

export const applyEndpoints = {
  applyEnvironment: endpoint({
    method: 'POST',
    path: '/api/environments/:env_id/apply',
    summary: 'Bring flags and segments of an environment to a wanted state, all or nothing',
    description:
      'What is not written is not changed. With `dry_run` the same write is made and rolled back. Segments need the permission `write_segments` too. Everything but `users` may have 1 MiB together.',
    tag: 'Flag',
    access: 'write_flags',
    params: environmentParams,
    body: ApplyInput,
    bodyMaxBytes: APPLY_BODY_MAX_BYTES,
    changesNothing: 'dry_run',
    responses: { 200: ApplyResult, 202: ApplyResult },
    errors: [409, 412],
    refusals: {
      409: 'A flag that would change is managed under another name (`take_over` changes it)',
      412: 'A flag or segment has another revision than `if_revisions` names',
      422: 'The result is invalid; the details name every problem, and nothing was changed',
    },
  }),
} as const
