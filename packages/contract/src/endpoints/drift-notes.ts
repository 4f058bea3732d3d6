import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { DRIFT_NOTES_MAX } from '../limits.ts'
import { key } from '../schemas/common.ts'
import { DriftNote, DriftNoteInput } from '../schemas/drift-note.ts'
import { projectParams } from './params.ts'

const noteParams = Type.Object({
  ...projectParams.properties,
  flag_key: key({ description: 'The key of the flag' }),
})

/** Notes about flags that are meant to differ (docs/trust.md#notes-about-drift). */
export const driftNoteEndpoints = {
  listDriftNotes: endpoint({
    method: 'GET',
    path: '/api/projects/:project_id/drift-notes',
    summary: 'The flags that are meant to differ between environments',
    description:
      'By the key of the flag. Notes that have ended are included. Notes about an environment that the caller may not read are left out.',
    tag: 'Flag',
    access: 'read_project_flags',
    params: projectParams,
    responses: { 200: Type.Array(DriftNote) },
  }),
  putDriftNote: endpoint({
    method: 'PUT',
    path: '/api/projects/:project_id/drift-notes/:flag_key',
    summary: 'Note why a flag differs between two environments',
    description: 'It replaces the note of the flag. The flag need not exist.',
    tag: 'Flag',
    access: 'edit_project',
    params: noteParams,
    body: DriftNoteInput,
    responses: { 200: DriftNote },
    errors: [409],
    refusals: {
      403: 'The caller may not read both environments',
      409: `The project has notes for ${DRIFT_NOTES_MAX} flags already`,
      422: 'An environment is not one of the project, or both are the same',
    },
  }),
  deleteDriftNote: endpoint({
    method: 'DELETE',
    path: '/api/projects/:project_id/drift-notes/:flag_key',
    summary: 'Delete the note about a flag',
    description: 'The flag then counts as drift again.',
    tag: 'Flag',
    access: 'edit_project',
    params: noteParams,
    responses: { 204: null },
  }),
} as const
