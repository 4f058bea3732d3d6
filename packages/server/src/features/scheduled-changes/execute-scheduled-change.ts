import type { ScheduledChange } from '@burgee/contract'
import { type EnvironmentWrite, type WriteOutcome, writeEnvironment } from '../../changes/index.ts'
import type { PastActor } from '../../kernel/actor.ts'
import { isGuarded } from '../../kernel/approval.ts'
import { forbidden, notFound, Refusal } from '../../kernel/refusal.ts'
import type { Log } from '../../platform/log.ts'
import { applyAndRecord, type FlagWriteDeps, findFlag, readStoredOperation } from '../flags/index.ts'
import { type DueChange, lockPendingChange, markExecuted } from './queries.ts'

/** The outcome. `gone`: another instance has executed it, or it was withdrawn. */
export type Execution = 'done' | 'gone'

class NothingToDo extends Error {}

export interface ExecuteDeps extends FlagWriteDeps {
  /** Returns whether a retry may succeed: the database is unavailable or overloaded. */
  readonly isTransient: (error: unknown) => boolean
  readonly log: Log
}

/** The message for users; the log has the error itself. */
const UNEXPECTED = 'The server failed; its log has the reason.'

/**
 * Executes a due change exactly once on any instance: it is marked in the transaction that applies it. One
 * that does not fit any more is marked with its `error`, and the flag is unchanged (docs/reference/flags.md).
 */
export async function executeScheduledChange(
  deps: ExecuteDeps,
  { comment, environment_id, id, scheduled_by }: DueChange,
): Promise<Execution> {
  const author: PastActor = { kind: 'past', name: scheduled_by, ...(comment !== null && { comment }) }
  try {
    await writeEnvironment(deps, environment_id, author, (write) => execute(deps, write, id))
    return 'done'
  } catch (error) {
    if (error instanceof NothingToDo) return 'gone'
    if (deps.isTransient(error)) throw error
    const reason = error instanceof Refusal ? error.message : UNEXPECTED
    return recordFailure(deps, { environment_id, id, author, error: reason, cause: error })
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
  const metadata = { scheduled_change_id: id, scheduled_at: change.scheduled_at }
  const outcome = await applyAndRecord(deps, write, { before, operation, origin: 'schedule', metadata })
  return { ...outcome, result: undefined }
}

interface Failure {
  readonly environment_id: string
  readonly id: string
  readonly author: PastActor
  readonly error: string
  readonly cause: unknown
}

async function recordFailure(
  deps: ExecuteDeps,
  { author, cause, environment_id, error, id }: Failure,
): Promise<Execution> {
  if (!(cause instanceof Refusal)) {
    deps.log.error({ err: cause, scheduled_change_id: id }, 'a scheduled change failed and was given up')
  }
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
  { environment, tx }: EnvironmentWrite,
  id: string,
): Promise<ScheduledChange & { change_request_id: number | null }> {
  const change = await lockPendingChange(tx, environment.id, id)
  if (!change) throw new NothingToDo()
  return change
}
