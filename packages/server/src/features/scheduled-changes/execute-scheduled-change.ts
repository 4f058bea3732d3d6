import type { StoredImpact } from '@burgee/contract'
import { type EnvironmentWrite, type WriteOutcome, writeEnvironment } from '../../changes/index.ts'
import type { PastActor } from '../../kernel/actor.ts'
import { isGuarded } from '../../kernel/approval.ts'
import { forbidden, notFound, Refusal } from '../../kernel/refusal.ts'
import type { Log } from '../../platform/log.ts'
import { applyAndRecord, type FlagWriteDeps, findFlag, readStoredOperation } from '../flags/index.ts'
import { findStoredImpact } from '../stored-impacts/index.ts'
import { type DueChange, lockDueChange, markExecuted, storeFailedAttempt } from './execution-queries.ts'
import type { StoredScheduledChange } from './queries.ts'
import { retryDelayMs } from './retry-delay.ts'

/**
 * The outcome. `gone`: another instance has executed it, or it was withdrawn. `retried`: it failed, and
 * later changes of its flag wait with it.
 */
export type Execution = 'done' | 'gone' | 'retried'

class NothingToDo extends Error {}

export interface ExecuteDeps extends FlagWriteDeps {
  /** Returns whether a retry may succeed: the database is unavailable or overloaded. */
  readonly isTransient: (error: unknown) => boolean
  readonly log: Log
}

/** The message for users; the log has the error itself. */
const UNEXPECTED =
  'The server failed to apply this change; its log has the reason. It is retried until it succeeds or is withdrawn.'

/**
 * Executes a due change exactly once on any instance: it is marked in the transaction that applies it. One
 * that does not fit any more is marked with its `error`, and the flag is unchanged. One that fails for
 * another reason is retried, with growing delays (docs/reference/governance.md#scheduled-changes).
 */
export async function executeScheduledChange(deps: ExecuteDeps, change: DueChange): Promise<Execution> {
  const { comment, environment_id, id, scheduled_by } = change
  const author: PastActor = { kind: 'past', name: scheduled_by, ...(comment !== null && { comment }) }
  try {
    await writeEnvironment(deps, environment_id, author, (write) => execute(deps, write, id))
    return 'done'
  } catch (error) {
    if (error instanceof NothingToDo) return 'gone'
    if (deps.isTransient(error)) throw error
    if (!(error instanceof Refusal)) return retryLater(deps, change, error)
    return recordFailure(deps, { environment_id, id, author, error: error.message })
  }
}

async function execute(
  deps: FlagWriteDeps,
  write: EnvironmentWrite,
  id: string,
): Promise<WriteOutcome<undefined>> {
  const change = await lockPending(write, id)
  if (isGuarded(write.environment) && change.change_request_id === null) {
    throw forbidden('Changes need approval here by now, and this one was never approved.')
  }
  const before = await findFlag(write.tx, write.environment.id, change.flag_key)
  if (!before) throw notFound('flag')
  await markExecuted(write.tx, id, { executed_at: write.now, error: null })
  const operation = await readStoredOperation({ operation: 'patch', patch: change.patch })
  const impact = await findStoredImpact(write.tx, write.environment.id, `scheduled_change:${id}`)
  const metadata = {
    scheduled_change_id: id,
    scheduled_at: change.scheduled_at,
    ...(impact && impact.users.known > 0 && { impact: summaryOf(impact) }),
  }
  const outcome = await applyAndRecord(deps, write, { before, operation, origin: 'schedule', metadata })
  return { ...outcome, result: undefined }
}

/** Returns the users whom the change affected when it was scheduled. */
const summaryOf = ({ changed, computed_at, exact, revision, users: { known } }: StoredImpact) => ({
  ...{ revision, known, changed, exact, computed_at },
})

async function retryLater(
  { clock, db, log }: ExecuteDeps,
  { environment_id, id }: DueChange,
  err: unknown,
): Promise<Execution> {
  const attempt = { environment_id, id, error: UNEXPECTED, now: clock.now(), delayMs: retryDelayMs }
  const failed = await storeFailedAttempt(db, attempt)
  if (!failed) return 'gone'
  log.error({ err, scheduled_change_id: id, ...failed }, 'a scheduled change failed; it is retried later')
  return 'retried'
}

interface Failure {
  readonly environment_id: string
  readonly id: string
  readonly author: PastActor
  readonly error: string
}

async function recordFailure(
  deps: ExecuteDeps,
  { author, environment_id, error, id }: Failure,
): Promise<Execution> {
  try {
    await writeEnvironment(deps, environment_id, author, async (write) => {
      const change = await lockPending(write, id)
      const flag = (await findFlag(write.tx, environment_id, change.flag_key)) ?? null
      await markExecuted(write.tx, id, { executed_at: write.now, error })
      return {
        result: undefined,
        changes: [],
        audit: {
          action: 'update',
          flag_key: change.flag_key,
          before: flag,
          after: flag,
          metadata: { origin: 'schedule', scheduled_change_id: id, patch: change.patch, error },
        },
        events: [],
      }
    })
    return 'done'
  } catch (failure) {
    const is_gone = failure instanceof Refusal && failure.kind === 'not_found'
    if (!(failure instanceof NothingToDo) && !is_gone) throw failure
    return 'gone'
  }
}

async function lockPending(
  { environment, now, tx }: EnvironmentWrite,
  id: string,
): Promise<StoredScheduledChange & { change_request_id: number | null }> {
  const change = await lockDueChange(tx, { environment_id: environment.id, id, now })
  if (!change) throw new NothingToDo()
  return change
}
