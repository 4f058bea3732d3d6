import type { Kysely, Transaction } from 'kysely'
import type { Author } from '../kernel/actor.ts'
import type { DomainEvent } from '../kernel/domain-event.ts'
import { notFound } from '../kernel/refusal.ts'
import type { Bus } from '../platform/bus/bus.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/db/tables.ts'
import type { KeyedQueue } from '../platform/keyed-queue.ts'
import type { AuditEntry } from './audit-entry.ts'
import type { FlagChange } from './flag-change.ts'
import { type LockedEnvironment, lockEnvironment, type StoredChange } from './queries.ts'
import { recordChanges, type WriteBounds } from './record-changes.ts'

export interface WriteDeps extends WriteBounds {
  readonly db: Kysely<Database>
  readonly bus: Bus
  readonly clock: Clock
  /** One write of an environment at a time, so that the others wait without a database connection each. */
  readonly queue: KeyedQueue
  /** Hands the changes to this instance's own changefeed; resolves when its SDKs and snapshots have them. */
  readonly onCommitted: (environment_id: string, changes: readonly StoredChange[]) => Promise<void>
  /** Tells this instance that there are events to tell of. Does not wait. */
  readonly onEvents: () => void
}

/** What the work of a write is given: the transaction, the locked environment and the moment of the write. */
export interface EnvironmentWrite {
  readonly tx: Transaction<Database>
  readonly environment: LockedEnvironment
  /** The further environments that the write asked to be locked, by id. */
  readonly others: ReadonlyMap<string, LockedEnvironment>
  /** The revision that the first of the write's changes will have; the second has the next, and so on. */
  readonly nextRevision: number
  /** ISO-8601 UTC. */
  readonly now: string
}

/** What the work tells of itself. All of it is stored in the work's own transaction. */
export interface WriteOutcome<T> {
  readonly result: T
  /** One for each flag that SDKs see changed, in revision order. */
  readonly changes: readonly FlagChange[]
  readonly audit: AuditEntry
  /** In the order in which they are told. */
  readonly events: readonly DomainEvent[]
}

/**
 * The only door through which what SDKs see can change. One transaction takes the environment row's lock, runs the work,
 * assigns the environment's next revisions and stores changes, audit entry and event. Revision order is commit order,
 * without gaps, because the lock is held until the commit. Writes of one environment queue here, so that they
 * wait without a database connection each.
 *
 * Refuses with `not_found` when the environment is gone and with `invalid` when it stores more than its quota or sends more than it may. Whatever the work throws rolls everything back.
 */
export async function writeEnvironment<T>(
  deps: WriteDeps,
  environment_id: string,
  author: Author,
  work: (write: EnvironmentWrite) => Promise<WriteOutcome<T>>,
  { alsoLock = [] }: { readonly alsoLock?: readonly string[] } = {},
): Promise<T> {
  const { changes, outcome } = await deps.queue.run(environment_id, () =>
    deps.db.transaction().execute(async (tx) => {
      const locked = await lockInOrder(tx, [environment_id, ...alsoLock])
      const environment = locked.get(environment_id)
      if (!environment) throw notFound('environment')
      const now = deps.clock.now().toISOString()
      const nextRevision = environment.revision + 1
      const outcome = await work({ tx, environment, others: locked, nextRevision, now })
      const changes = outcome.changes.map((change, index) => ({ ...change, revision: nextRevision + index }))
      await recordChanges(tx, { environment, actor: author, now, ...outcome, changes }, deps)
      return { changes, outcome }
    }),
  )
  if (outcome.events.length > 0) deps.onEvents()
  const last = changes.at(-1)
  if (last) {
    deps.bus.publish({ kind: 'changes', environment_id, revision: last.revision })
    await deps.onCommitted(environment_id, changes)
  }
  return outcome.result
}

/** Environments are locked in id order, so that two writes never wait for each other (docs/reference/flags.md#promotion-and-comparison). */
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
