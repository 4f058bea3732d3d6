import { endpoint } from '../endpoint.ts'
import { IMPORT_BODY_MAX_BYTES } from '../limits.ts'
import { ImportInput, ImportResult } from '../schemas/import.ts'
import { projectParams } from './params.ts'

export const importEndpoints = {
  importFiles: endpoint({
    method: 'POST',
    path: '/api/projects/:project_id/import',
    summary: 'Translate files of another service into flags, with a report',
    description:
      'Nothing is stored: send the flags and segments of an environment to `apply`. Files are JSON, YAML or TOML.',
    tag: 'Flag',
    access: 'read_project',
    params: projectParams,
    body: ImportInput,
    bodyMaxBytes: IMPORT_BODY_MAX_BYTES,
    changesNothing: true,
    responses: { 200: ImportResult },
    errors: [503],
    refusals: {
      413: 'The files together are too large; import them in parts',
      422: 'A file is not what the service exports, pages of a list are missing, or the translation takes too much time or memory',
      503: 'Too many imports of this caller, or of all, are waiting on this instance',
    },
  }),
} as const
