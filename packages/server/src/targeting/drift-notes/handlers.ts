import type { driftNoteEndpoints } from '@burgee/contract'
import type { WorkspaceWriteDeps } from '../../changes/index.ts'
import type { Actor } from '../../kernel/actor.ts'
import { mayInEnvironment, type ProjectScope } from '../../kernel/scope.ts'
import type { EndpointHandlers } from '../../platform/replies/endpoint-handler.ts'
import { listEnvironments } from '../../structure/environments/index.ts'
import { listDriftNotes } from './queries.ts'
import { deleteDriftNote, type IsReadable, placesOf, putDriftNote } from './write-drift-note.ts'

export function driftNoteHandlers(deps: WorkspaceWriteDeps): EndpointHandlers<typeof driftNoteEndpoints> {
  return {
    async listDriftNotes({ actor, scope }) {
      const notes = await listDriftNotes(deps.db, scope.project_id)
      const environments = await listEnvironments(deps.db, scope.project_id)
      const isReadable = readableBy(actor, scope)
      const seen = notes.filter((note) => placesOf(environments, note).every(isReadable))
      return { status: 200, body: seen }
    },
    async putDriftNote({ actor, body, params, scope }) {
      const place = { project_id: scope.project_id, flag_key: params.flag_key }
      const isReadable = readableBy(actor, scope)
      return { status: 200, body: await putDriftNote(deps, actor, { ...place, isReadable }, body) }
    },
    async deleteDriftNote({ actor, params, scope }) {
      const place = { project_id: scope.project_id, flag_key: params.flag_key }
      await deleteDriftNote(deps, actor, { ...place, isReadable: readableBy(actor, scope) })
      return { status: 204, body: null }
    },
  }
}

const readableBy =
  (actor: Actor, scope: ProjectScope): IsReadable =>
  (environment_id) =>
    mayInEnvironment(actor, scope, 'read_environment', environment_id)
