import type { Warning } from '@burgee/contract'
import type { Kysely, Transaction } from 'kysely'
import type { Author } from '../kernel/actor.ts'
import { createCheckBudget } from '../kernel/check-budget.ts'
import type { DomainEvent } from '../kernel/domain-event.ts'
import { invalid, notFound, Refusal } from '../kernel/refusal.ts'
import type { Bus } from '../platform/bus/bus.ts'
import type { Clock } from '../platform/clock.ts'
import type { KeyedQueue } from '../platform/concurrency/keyed-queue.ts'
import { beforeAnalyses } from '../platform/concurrency/turns.ts'
import { pipelinedTransaction } from '../platform/db/pipelined-transaction.ts'
import { limitLockWaits } from '../platform/db/short-locks.ts'
import type { Database } from '../platform/db/tables.ts'
import type { AuditEntry } from './audit-entry.ts'
import type { EnvironmentWrite } from './environment-write.ts'
import type { FlagChange } from './flag-change.ts'
import { guardWrite, type WriteGuard, withOverride } from './guard-write.ts'
import { type LockedEnvironment, lockEnvironment, type StoredChange } from './queries.ts'
import { recordChanges, type WriteBounds } from './record-changes.ts'

export interface WriteDeps extends WriteBounds {
  readonly db: Kysely<Database>
  readonly bus: Bus
  readonly clock: Clock
  /** Runs one write of an environment at a time, so that waiting ones hold no database connection. */
  readonly queue: KeyedQueue
  /** Passes the changes to this instance's changefeed. Resolves when its SDKs and snapshots have them. */
  readonly onCommitted: (
    environment_id: string,
    changes: readonly StoredChange[],
    created_at: string,
  ) => Promise<void>
  /** Announces to this instance that there are events to deliver. It does not wait. */
  readonly onEvents: () => void
  /** Decides the invariants of the project. `app/flag-writes.ts` provides it. */
  readonly guard?: WriteGuard
}

/** The outcome of a write's work. All of it is stored in its transaction. */
export interface WriteOutcome<T> {
  readonly result: T
  /** One change for each flag that changes for SDKs, in the order of revisions. */
  readonly changes: readonly FlagChange[]
  readonly audit: AuditEntry
  /** The events, in the order of delivery. */
  readonly events: readonly DomainEvent[]
  /** The author, where the work selects what it does and so who requested it. */
  readonly author?: Author
}

/** The environment has another revision than the one on which a write was decided. */
export class EnvironmentMoved extends Error {}

/** Ends the work of a write with a result, and rolls back what it has done. */
export class RolledBack<T> extends Error {
  readonly result: T

  constructor(result: T) {
    super('The write is rolled back.')
    this.result = result
  }
}

/**
 * Runs a write of an environment and rolls it back: everything is computed and checked as in the write, and
 * nothing is stored or published. A comment is not required.
 */
export async function tryEnvironment<T>(
  deps: WriteDeps,
  environment_id: string,
  author: Author,
  work: (write: EnvironmentWrite) => Promise<WriteOutcome<T>>,
  options: Pick<WriteOptions<T>, 'withWarnings'> = {},
): Promise<T> {
  try {
    return await writeEnvironment(deps, environment_id, author, work, { ...options, isTrial: true })
  } catch (error) {
    // Only the work and this write throw it, with a result of the work.
    if (error instanceof RolledBack) return error.result as T
    throw error
  }
}

/**
 * Runs a write of an environment: the only way to change what SDKs receive. One transaction locks the
 * environment's row, runs the work, assigns the next revisions and stores changes, audit entry and event. The
 * lock is held until the commit, so the order of revisions is the order of commits, without gaps. Writes of
 * one environment queue here, so that waiting ones hold no database connection.
 *
 * Refuses with `not_found` when the environment does not exist, and with `invalid` when the write would
 * violate an invariant, store more than the quota or send more than allowed. Any error of the work rolls
 * everything back.
 */
export async function writeEnvironment<T, R = undefined>(
  deps: WriteDeps,
  environment_id: string,
  author: Author,
  work: (write: EnvironmentWrite, read: R) => Promise<WriteOutcome<T>>,
  options: WriteOptions<T, R> = {},
): Promise<T> {
  const { alsoLock = [], atRevision, isTrial = false, lockTimeoutMs, withWarnings = keep } = options
  const afterwards: (() => void)[] = []
  const { changes, now, outcome, storing } = await beforeAnalyses(() =>
    deps.queue.run(environment_id, () =>
      pipelinedTransaction(deps.db, async (tx, leave) => {
        if (lockTimeoutMs !== undefined) await limitLockWaits(tx, lockTimeoutMs)
        const locking = lockInOrder(tx, [environment_id, ...alsoLock])
        // The only lock was sent, so what is read behind it is as the write before has left it.
        if (alsoLock.length > 0) await locking
        const [locked, read] = await Promise.all([locking, options.read?.(tx)])
        const environment = locked.get(environment_id)
        if (!environment) throw notFound('environment')
        if (atRevision !== undefined && environment.revision !== atRevision) throw new EnvironmentMoved()
        const now = deps.clock.now().toISOString()
        const nextRevision = environment.revision + 1
        const afterCommit = (call: () => void) => void afterwards.push(call)
        const budget = createCheckBudget(deps.clock.monotonicMs)
        const write = {
          tx,
          environment,
          others: locked,
          nextRevision,
          now,
          budget,
          author,
          afterCommit,
          send: leave,
        }
        // Without the option it is undefined, and so is its type.
        const worked = await work(write, read as R).catch((error: unknown) => {
          if (isAboutState(error) && !isTrial) requireComment(environment, author)
          throw error
        })
        // After the work, which states first what does not exist.
        if (!isTrial) requireComment(environment, author)
        const guarded = await guardWrite(deps, write, worked.changes)
        const outcome = {
          ...worked,
          result: withWarnings(worked.result, guarded.warnings),
          audit: withOverride(worked.audit, guarded),
        }
        const changes = outcome.changes.map((change, index) => ({
          ...change,
          revision: nextRevision + index,
        }))
        const { storing } = await recordChanges(
          tx,
          { environment, actor: worked.author ?? author, now, ...outcome, changes },
          deps,
          isTrial ? undefined : leave,
        )
        if (isTrial) throw new RolledBack(outcome.result)
        return { changes, now, outcome, storing }
      }),
    ),
  )
  for (const call of afterwards) call()
  if (outcome.events.length > 0 && (await storing).has_receivers) deps.onEvents()
  const last = changes.at(-1)
  if (last) {
    deps.bus.publish({ kind: 'changes', environment_id, revision: last.revision })
    await beforeAnalyses(() => deps.onCommitted(environment_id, changes, now))
  }
  return outcome.result
}

const keep = <T>(result: T): T => result

interface WriteOptions<T, R = undefined> {
  /** Reads what the work needs, in the round trip of the lock. It must not write. */
  readonly read?: (tx: Transaction<Database>) => Promise<R>
  readonly alsoLock?: readonly string[]
  /** The revision of the environment on which the write was decided. */
  readonly atRevision?: number | undefined
  /** The wait for each lock, in place of the one of the connection. */
  readonly lockTimeoutMs?: number
  /** True to roll back when everything is done. */
  readonly isTrial?: boolean
  /** Adds the warnings about violated invariants to the result of the work. */
  readonly withWarnings?: (result: T, warnings: readonly Warning[]) => T
}

/** The problems of a body come before those of the state (docs/reference/api.md#order-of-checks). */
const isAboutState = (error: unknown): boolean =>
  error instanceof Refusal && (error.kind === 'conflict' || error.kind === 'stale')

/** Requires a comment where the environment does. Scheduled work needs none: its author gave one before. */
function requireComment({ name, require_comment }: LockedEnvironment, { comment, kind }: Author): void {
  if (!require_comment || comment !== undefined || kind === 'past') return
  throw invalid([{ path: '/comment', message: `is required in the environment ${name}: give the reason` }])
}

/**
 * Locks environments in the order of their ids, so that two writes never deadlock
 * (docs/reference/flags.md#promotion-and-comparison).
 */
async function lockInOrder(
  tx: Transaction<Database>,
  ids: readonly string[],
): Promise<Map<string, LockedEnvironment>> {
  const locked = new Map<string, LockedEnvironment>()
  for (const id of [...new Set(ids)].sort()) {
    const environment = await lockEnvironment(tx, id)
    if (!environment) throw notFound('environment')
    locked.set(id, environment)
  }
  return locked
}
