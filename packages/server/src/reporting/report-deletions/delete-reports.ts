import type { Transaction } from 'kysely'
import { type WorkspaceWriteDeps, writeWorkspace } from '../../changes/index.ts'
import type { Actor } from '../../kernel/actor.ts'
import { notFound } from '../../kernel/refusal.ts'
import type { HashUser } from '../../platform/crypto/user-hash.ts'
import type { Database } from '../../platform/db/tables.ts'
import type { Log } from '../../platform/log/log.ts'
import { markGoalDeleted } from '../goal-events/index.ts'
import { markFlagDeleted } from '../impressions/index.ts'
import { type LastIds, lockReportCounters, setDeleting } from '../ingest/counter-queries.ts'
import { type RemoveSeenUserDeps, removeSeenUser } from '../seen-users/index.ts'
import { insertDeletion } from './queries.ts'
import { removeSome } from './remove-some.ts'
import { type DeletionSubject, type ReportDeletion, ROLLUPS_FIRST } from './report-deletion.ts'

export interface DeleteReportsDeps extends WorkspaceWriteDeps, RemoveSeenUserDeps {
  readonly log: Pick<Log, 'warn'>
}

interface DeletedReports {
  readonly reports: number
  readonly isComplete: boolean
}

/** The time the caller waits for the removal. The background job continues every two seconds. */
const WAIT_MS = 3_000
/** The characters of a user's hash in the audit log: enough to find the entry, but not the user. */
const SHOWN_HASH_CHARACTERS = 16

/**
 * Deletes the reports of a flag, an event key or a user that have arrived so far. Later ones stay. What is
 * not removed after a few seconds is removed in the background, also when this instance stops.
 */
export async function deleteReports(
  deps: DeleteReportsDeps,
  actor: Actor,
  {
    environment_id,
    project_id,
    ...subject
  }: DeletionSubject & {
    readonly project_id: string
    readonly environment_id: string
  },
): Promise<DeletedReports> {
  const { id, reports } = await writeWorkspace(deps, actor, async ({ tx }) => {
    const last = await lockReportCounters(tx, environment_id)
    if (!last) throw notFound('environment')
    if (subject.subject === 'user') await removeSeenUser(deps, tx, { environment_id, user_key: subject.name })
    const begun = await begin(tx, { environment_id, ...subject }, last)
    return {
      result: begun,
      audit: {
        project_id,
        environment_id,
        action: 'delete',
        before: subject.subject === 'user' ? null : { reports: begun.reports },
        after: null,
        metadata: { origin: 'direct', resource: `reports:${nameOf(subject, deps.hashUser)}` },
      },
      changesAccess: false,
    }
  })
  if (id === null) return { reports, isComplete: true }
  const { isComplete, removed } = await removeForAWhile(deps, id)
  return { reports: reports + removed, isComplete }
}

type Place = DeletionSubject & { readonly environment_id: string }

/**
 * Returns the id of the deletion, null when there is nothing to remove, and the number of reports that are
 * already known.
 */
async function begin(
  tx: Transaction<Database>,
  place: Place,
  last: LastIds,
): Promise<{ id: number | null; reports: number }> {
  const { environment_id, name, subject } = place
  const deletion: Omit<ReportDeletion, 'id'> = {
    environment_id,
    subject,
    name,
    impressions_to: subject === 'event' ? null : last.impressions,
    goal_events_to: subject === 'flag' ? null : last.goal_events,
    cursor_id: ROLLUPS_FIRST,
    removed: 0,
  }
  if (subject === 'user') return { id: await insertDeletion(tx, deletion), reports: 0 }
  const reports =
    subject === 'flag'
      ? await markFlagDeleted(tx, { environment_id, flag_key: name, deleted_to: last.impressions })
      : await markGoalDeleted(tx, { environment_id, event_key: name, deleted_to: last.goal_events })
  if (reports === null) return { id: null, reports: 0 }
  await setDeleting(tx, { environment_id, is_deleting: true })
  return { id: await insertDeletion(tx, deletion), reports }
}

/**
 * Returns the name for the audit log. A user's id would outlive their reports there; its keyed hash reveals
 * nothing.
 */
const nameOf = ({ name, subject }: DeletionSubject, hashUser: HashUser): string =>
  `${subject}:${subject === 'user' ? hashUser(name).toString('hex').slice(0, SHOWN_HASH_CHARACTERS) : name}`

async function removeForAWhile(
  deps: DeleteReportsDeps,
  id: number,
): Promise<{ removed: number; isComplete: boolean }> {
  const endsAt = deps.clock.monotonicMs() + WAIT_MS
  let progress = { removed: 0, isComplete: false }
  try {
    while (!progress.isComplete && deps.clock.monotonicMs() < endsAt) progress = await removeSome(deps, id)
  } catch (err) {
    // The deletion is stored: the job continues it.
    deps.log.warn({ err }, 'deleted reports could not be removed at once; removing them in the background')
  }
  return progress
}
