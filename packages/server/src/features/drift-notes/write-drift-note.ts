import { DRIFT_NOTES_MAX, type DriftNote, type DriftNoteInput } from '@burgee/contract'
import {
  type AuditAction,
  type WorkspaceAudit,
  type WorkspaceWriteDeps,
  writeWorkspace,
} from '../../changes/index.ts'
import { type Actor, actorName } from '../../kernel/actor.ts'
import { toInstant } from '../../kernel/instant.ts'
import { conflict, invalid, notFound } from '../../kernel/refusal.ts'
import { listEnvironments } from '../environments/index.ts'
import { countDriftNotes, deleteDriftNoteRow, findDriftNote, saveDriftNote } from './queries.ts'

interface Place {
  readonly project_id: string
  readonly flag_key: string
}

/**
 * Stores why a flag differs between two environments, in place of the note before. Refuses with `invalid`
 * when these are not two environments of the project, and with `conflict` when there are too many notes.
 */
export async function putDriftNote(
  deps: WorkspaceWriteDeps,
  actor: Actor,
  { flag_key, project_id }: Place,
  { expires_at = null, owner_email, reason, source, target }: DriftNoteInput,
): Promise<DriftNote> {
  return writeWorkspace(deps, actor, async ({ now, tx }) => {
    const environments = await listEnvironments(tx, project_id)
    const idOf = (wanted: string) =>
      environments.find(({ id, slug }) => slug === wanted || id === wanted.toLowerCase())?.id
    const problems = Object.entries({ source, target })
      .filter(([, wanted]) => idOf(wanted) === undefined)
      .map(([name]) => ({ path: `/${name}`, message: 'is no slug or id of an environment of the project' }))
    if (problems.length === 0 && idOf(source) === idOf(target))
      problems.push({ path: '/target', message: 'is the source too; name another environment' })
    if (problems.length > 0) throw invalid(problems)
    const before = await findDriftNote(tx, project_id, flag_key)
    if (!before && (await countDriftNotes(tx, project_id)) >= DRIFT_NOTES_MAX)
      throw conflict(`The project has notes for ${DRIFT_NOTES_MAX} flags already. Delete one first.`)
    const after: DriftNote = {
      ...{ flag_key, source, target, reason, owner_email },
      expires_at: expires_at === null ? null : toInstant(expires_at),
      created_by: actorName(actor),
      created_at: now,
    }
    await saveDriftNote(tx, project_id, after)
    const action = before ? 'update' : 'create'
    return { result: after, audit: auditOf(project_id, action, before, after), changesAccess: false }
  })
}

/** Deletes the note about a flag. Refuses with `not_found` when there is none. */
export async function deleteDriftNote(
  deps: WorkspaceWriteDeps,
  actor: Actor,
  { flag_key, project_id }: Place,
): Promise<void> {
  await writeWorkspace(deps, actor, async ({ tx }) => {
    const before = await findDriftNote(tx, project_id, flag_key)
    if (!before) throw notFound('drift note')
    await deleteDriftNoteRow(tx, project_id, flag_key)
    return { result: undefined, audit: auditOf(project_id, 'delete', before, null), changesAccess: false }
  })
}

function auditOf(
  project_id: string,
  action: AuditAction,
  before: DriftNote | null,
  after: DriftNote | null,
): WorkspaceAudit {
  const resource = `drift_note:${(after ?? before)?.flag_key}`
  return { project_id, environment_id: null, action, before, after, metadata: { origin: 'direct', resource } }
}
