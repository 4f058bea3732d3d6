import { DRIFT_NOTES_MAX, type DriftNote, type DriftNoteInput, type Environment } from '@burgee/contract'
import {
  type AuditAction,
  type WorkspaceAudit,
  type WorkspaceWriteDeps,
  writeWorkspace,
} from '../../changes/index.ts'
import { type Actor, actorName } from '../../kernel/actor.ts'
import { toInstant } from '../../kernel/instant.ts'
import { conflict, invalid, notFound } from '../../kernel/refusal.ts'
import { lacksIn } from '../../kernel/scope.ts'
import { listEnvironments } from '../../structure/environments/index.ts'
import { countDriftNotes, deleteDriftNoteRow, findDriftNote, saveDriftNote } from './queries.ts'

interface Place {
  readonly project_id: string
  readonly flag_key: string
  readonly isReadable: IsReadable
}

/** Returns whether the actor may read an environment of the project. */
export type IsReadable = (environment_id: string) => boolean

type Named = Pick<Environment, 'id' | 'slug'>

const idOf = (environments: readonly Named[], wanted: string): string | undefined =>
  environments.find(({ id, slug }) => slug === wanted || id === wanted.toLowerCase())?.id

/** Returns the ids of the environments that a note names. One that was deleted meanwhile is left out. */
export const placesOf = (
  environments: readonly Named[],
  { source, target }: Pick<DriftNote, 'source' | 'target'>,
): string[] => [source, target].flatMap((wanted) => idOf(environments, wanted) ?? [])

/**
 * Stores why a flag differs between two environments, in place of the note before. Refuses with `invalid`
 * when these are not two environments of the project, with `forbidden` where the actor may not read those of
 * the note or of the note before, and with `conflict` when there are too many notes.
 */
export async function putDriftNote(
  deps: WorkspaceWriteDeps,
  actor: Actor,
  { flag_key, isReadable, project_id }: Place,
  { expires_at = null, owner_email, reason, source, target }: DriftNoteInput,
): Promise<DriftNote> {
  return writeWorkspace(deps, actor, async ({ now, tx }) => {
    const environments = await listEnvironments(tx, project_id)
    const before = await findDriftNote(tx, project_id, flag_key)
    const problems = Object.entries({ source, target })
      .filter(([, wanted]) => idOf(environments, wanted) === undefined)
      .map(([name]) => ({ path: `/${name}`, message: 'is no slug or id of an environment of the project' }))
    if (problems.length === 0 && idOf(environments, source) === idOf(environments, target))
      problems.push({ path: '/target', message: 'is the source too; name another environment' })
    if (problems.length > 0) throw invalid(problems)
    const places = [{ source, target }, ...(before ? [before] : [])]
    const hidden = places.flatMap((note) => placesOf(environments, note)).find((id) => !isReadable(id))
    if (hidden !== undefined) throw lacksIn('read_environment', { project_id, environment_id: hidden })
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

/** Deletes the note about a flag. Refuses with `not_found` when the actor sees none. */
export async function deleteDriftNote(
  deps: WorkspaceWriteDeps,
  actor: Actor,
  { flag_key, isReadable, project_id }: Place,
): Promise<void> {
  await writeWorkspace(deps, actor, async ({ tx }) => {
    const before = await findDriftNote(tx, project_id, flag_key)
    const environments = await listEnvironments(tx, project_id)
    if (!before || !placesOf(environments, before).every(isReadable)) throw notFound('drift note')
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
