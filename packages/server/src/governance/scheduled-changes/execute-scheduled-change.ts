import type { StoredImpact } from '@burgee/contract'
import { type EnvironmentWrite, type WriteOutcome, writeEnvironment } from '../../changes/index.ts'
import type { PastActor } from '../../kernel/actor.ts'
import { isGuarded } from '../../kernel/approval.ts'
import { forbidden, notFound, Refusal } from '../../kernel/refusal.ts'
import type { Log } from '../../platform/log/log.ts'
import { readStoredOperation } from '../../targeting/flag-model/index.ts'
import { applyAndRecord, type FlagWriteDeps } from '../../targeting/flag-operations/index.ts'
import { findFlag } from '../../targeting/flags/index.ts'
import { findStoredImpact } from '../../targeting/stored-impacts/index.ts'
import {
  lockDueChange,
  lockNextDueChange,
  markExecuted,
  type PendingChange,
  storeFailedAttempt,
} from './execution-queries.ts'
import { retryDelayMs } from './retry-delay.ts'

/**
 * The outcome: whether the environment had a due change, which was executed, or failed and is retried later.
 */
export type Execution = 'attempted' | 'none'

class NothingToDo extends Error {}

export interface ExecuteDeps extends FlagWriteDeps {
  /** Returns whether a retry may succeed: the database is unavailable or overloaded. */
  readonly isTransient: (error: unknown) => boolean
  readonly log: Log
}

/** The message for users; the log has the error itself. */
const UNEXPECTED =
  'The server failed to apply this change; its log has the reason. It is retried until it succeeds or is withdrawn.'

/** The author of a write that has not selected its change yet. */
const SCHEDULER: PastActor = { kind: 'past', name: 'scheduler' }

interface NextOfEnvironment {
  readonly environment_id: string
  /** The wait for a lock. */
  readonly lockTimeoutMs: number
}

/**
 * Executes the next due change of an environment exactly once on any instance: it is selected and marked in
 * the transaction that applies it. One that does not fit any more is marked with its `error`, and the flag is
 * unchanged. One that fails for another reason is retried, with growing delays
 * (docs/reference/governance.md#scheduled-changes).
 */
export async function executeNextChange(deps: ExecuteDeps, next: NextOfEnvironment): Promise<Execution> {
  const { environment_id, lockTimeoutMs } = next
  const selected: { change?: PendingChange } = {}
  try {
    await writeEnvironment(
      deps,
      environment_id,
      SCHEDULER,
      async (write) => {
        const change = await lockNextDueChange(write.tx, { environment_id, now: write.now })
        if (!change) throw new NothingToDo()
        selected.change = change
        const author = authorOf(change)
        return { ...(await execute(deps, { ...write, author }, change)), author }
      },
      { lockTimeoutMs },
    )
    return 'attempted'
  } catch (error) {
    const { change } = selected
    if (error instanceof NothingToDo || (!change && isMissing(error))) return 'none'
    if (!change || deps.isTransient(error)) throw error
    if (error instanceof Refusal) await recordFailure(deps, next, change, error.message)
    else await retryLater(deps, next, change, error)
    return 'attempted'
  }
}

const authorOf = ({ comment, scheduled_by }: PendingChange): PastActor => ({
  kind: 'past',
  name: scheduled_by,
  ...(comment !== null && { comment }),
})

/** Tests whether the environment was deleted. */
const isMissing = (error: unknown): boolean => error instanceof Refusal && error.kind === 'not_found'

async function execute(
  deps: FlagWriteDeps,
  write: EnvironmentWrite,
  change: PendingChange,
): Promise<WriteOutcome<undefined>> {
  const { id } = change
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
  next: NextOfEnvironment,
  { id }: PendingChange,
  err: unknown,
): Promise<void> {
  const attempt = { ...next, id, error: UNEXPECTED, now: clock.now(), delayMs: retryDelayMs }
  const failed = await storeFailedAttempt(db, attempt)
  if (failed)
    log.error({ err, scheduled_change_id: id, ...failed }, 'a scheduled change failed; it is retried later')
}

/** Marks a change with its error, unless another instance has done so meanwhile. */
async function recordFailure(
  deps: ExecuteDeps,
  { environment_id, lockTimeoutMs }: NextOfEnvironment,
  failed: PendingChange,
  error: string,
): Promise<void> {
  const { id } = failed
  try {
    await writeEnvironment(
      deps,
      environment_id,
      authorOf(failed),
      async (write) => {
        const change = await lockDueChange(write.tx, { environment_id, id, now: write.now })
        if (!change) throw new NothingToDo()
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
      },
      { lockTimeoutMs },
    )
  } catch (failure) {
    if (!(failure instanceof NothingToDo) && !isMissing(failure)) throw failure
  }
}
