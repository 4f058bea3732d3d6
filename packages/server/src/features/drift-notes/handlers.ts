import type { driftNoteEndpoints } from '@burgee/contract'
import type { WorkspaceWriteDeps } from '../../changes/index.ts'
import type { EndpointHandlers } from '../../platform/endpoint-handler.ts'
import { listDriftNotes } from './queries.ts'
import { deleteDriftNote, putDriftNote } from './write-drift-note.ts'

export function driftNoteHandlers(deps: WorkspaceWriteDeps): EndpointHandlers<typeof driftNoteEndpoints> {
  return {
    async listDriftNotes({ scope }) {
      return { status: 200, body: await listDriftNotes(deps.db, scope.project_id) }
    },
    async putDriftNote({ actor, body, params, scope }) {
      const place = { project_id: scope.project_id, flag_key: params.flag_key }
      return { status: 200, body: await putDriftNote(deps, actor, place, body) }
    },
    async deleteDriftNote({ actor, params, scope }) {
      await deleteDriftNote(deps, actor, { project_id: scope.project_id, flag_key: params.flag_key })
      return { status: 204, body: null }
    },
  }
}
