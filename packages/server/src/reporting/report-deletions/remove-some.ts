import type { Kysely, Transaction } from 'kysely'
import { assertNever } from '../../kernel/assert-never.ts'
import type { HashUser } from '../../platform/crypto/user-hash.ts'
import type { Database } from '../../platform/db/tables.ts'
import {
  forgetGoalUser,
  removeEmptyGoals,
  removeGoalEvents,
  removeGoalRollups,
  removeUserGoalEvents,
} from '../goal-events/index.ts'
import {
  forgetUser,
  removeEmptyFlags,
  removeFlagImpressions,
  removeFlagRollups,
  removeUserImpressions,
} from '../impressions/index.ts'
import {
  findIdBeforeFirst,
  hasReportCounters,
  lockReportCounters,
  setDeleting,
} from '../ingest/counter-queries.ts'
import { deleteDeletion, findDeletion, hasRollupDeletions, lockDeletion, saveDeletion } from './queries.ts'
import { type DeletionStep, nextStep, type ReportDeletion, ROLLUPS_FIRST } from './report-deletion.ts'

/**
 * The rows that one step removes, and the ids that it searches: about 50 ms, in which ingest of the
 * environment may wait.
 */
const ROWS_PER_STEP = 5_000
const IDS_PER_STEP = 20_000

export interface RemovalDeps {
  readonly db: Kysely<Database>
  readonly hashUser: HashUser
}

interface Progress {
  /** The number of reports removed so far that are counted one by one. */
  readonly removed: number
  readonly isComplete: boolean
}

/**
 * Runs the next step of a deletion in its own transaction: after a crash any instance continues from there.
 */
export async function removeSome({ db, hashUser }: RemovalDeps, id: number): Promise<Progress> {
  const found = await findDeletion(db, id)
  if (!found) return { removed: 0, isComplete: true }
  const step = nextStep(found)
  return db.transaction().execute(async (tx) => {
    // Counters are locked first, as when an environment is deleted. Single rows can be removed while others
    // are stored.
    const isThere = needsCounters(step)
      ? (await lockReportCounters(tx, found.environment_id)) !== null
      : await hasReportCounters(tx, found.environment_id)
    const deletion = await lockDeletion(tx, id)
    if (!deletion) return { removed: found.removed, isComplete: true }
    const { removed } = deletion
    // Another instance was faster.
    if (nextStep(deletion) !== step) return { removed, isComplete: false }
    if (!isThere || step === 'finish') {
      await finish(tx, deletion)
      return { removed, isComplete: true }
    }
    const next = await take(tx, step, { deletion, hashUser })
    await saveDeletion(tx, next)
    return { removed: next.removed, isComplete: false }
  })
}

const needsCounters = (step: DeletionStep): boolean => step !== 'flag_rows' && step !== 'event_rows'

interface Taking {
  readonly deletion: ReportDeletion
  readonly hashUser: HashUser
}

/** Runs a step, and returns the deletion after it. */
function take(
  tx: Transaction<Database>,
  step: Exclude<DeletionStep, 'finish'>,
  taking: Taking,
): Promise<ReportDeletion> {
  switch (step) {
    case 'rollups':
      return takeRollups(tx, taking.deletion)
    case 'flag_rows':
      return takeRows(tx, taking.deletion)
    case 'event_rows':
      return takeRows(tx, taking.deletion)
    case 'user_impressions':
      return takeUserImpressions(tx, taking)
    case 'user_events':
      return takeUserEvents(tx, taking)
    default:
      return assertNever(step)
  }
}

async function takeRollups(tx: Transaction<Database>, deletion: ReportDeletion): Promise<ReportDeletion> {
  const { environment_id, name, subject } = deletion
  const at = { environment_id, limit: ROWS_PER_STEP }
  const isFlag = subject === 'flag'
  const isLeft = isFlag
    ? await removeFlagRollups(tx, { ...at, flag_key: name })
    : await removeGoalRollups(tx, { ...at, event_key: name })
  if (isLeft) return deletion
  return {
    ...deletion,
    cursor_id: await findIdBeforeFirst(tx, isFlag ? 'impressions' : 'goal_events', environment_id),
  }
}

async function takeRows(tx: Transaction<Database>, deletion: ReportDeletion): Promise<ReportDeletion> {
  const { cursor_id: afterId, environment_id, goal_events_to, impressions_to, name, subject } = deletion
  const last = impressions_to ?? goal_events_to ?? 0
  const to_id = Math.min(afterId + IDS_PER_STEP, last)
  if (subject === 'flag') await removeFlagImpressions(tx, { environment_id, flag_key: name, afterId, to_id })
  else await removeGoalEvents(tx, { environment_id, event_key: name, afterId, to_id })
  return to_id < last
    ? { ...deletion, cursor_id: to_id }
    : { ...deletion, impressions_to: null, goal_events_to: null }
}

async function takeUserImpressions(
  tx: Transaction<Database>,
  { deletion, hashUser }: Taking,
): Promise<ReportDeletion> {
  const { environment_id, impressions_to, name: user_id } = deletion
  const user = { environment_id, user_id, user_hash: hashUser(user_id), to_id: impressions_to ?? 0 }
  const count = await removeUserImpressions(tx, { ...user, limit: ROWS_PER_STEP })
  if (count > 0) return { ...deletion, removed: deletion.removed + count }
  await forgetUser(tx, user)
  return { ...deletion, impressions_to: null, cursor_id: ROLLUPS_FIRST }
}

async function takeUserEvents(
  tx: Transaction<Database>,
  { deletion, hashUser }: Taking,
): Promise<ReportDeletion> {
  const { cursor_id, environment_id, goal_events_to, name: user_id } = deletion
  const last = goal_events_to ?? 0
  const afterId =
    cursor_id === ROLLUPS_FIRST ? await findIdBeforeFirst(tx, 'goal_events', environment_id) : cursor_id
  const to_id = Math.min(afterId + IDS_PER_STEP, last)
  const count = await removeUserGoalEvents(tx, { environment_id, user_id, afterId, to_id })
  const next = { ...deletion, cursor_id: to_id, removed: deletion.removed + count }
  if (to_id < last) return next
  await forgetGoalUser(tx, { environment_id, user_id, user_hash: hashUser(user_id), to_id: last })
  return { ...next, goal_events_to: null }
}

async function finish(tx: Transaction<Database>, { environment_id, id }: ReportDeletion): Promise<void> {
  await deleteDeletion(tx, id)
  await removeEmptyFlags(tx, environment_id)
  await removeEmptyGoals(tx, environment_id)
  await setDeleting(tx, { environment_id, is_deleting: await hasRollupDeletions(tx, environment_id) })
}
