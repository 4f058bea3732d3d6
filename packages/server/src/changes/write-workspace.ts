import type { Kysely, Transaction } from 'kysely'
import { type Author, actorName } from '../kernel/actor.ts'
import { type CheckBudget, createCheckBudget } from '../kernel/check-budget.ts'
import type { Bus } from '../platform/bus/bus.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/db/tables.ts'
import type { AuditEntry } from './audit-entry.ts'
import { bumpAccessRevision } from './queries.ts'
import { recordAudit } from './record-audit.ts'
import { auditTrace } from './to-stored-entry.ts'

export interface WorkspaceWriteDeps {
  readonly db: Kysely<Database>
  readonly bus: Bus
  readonly clock: Clock
  /**
   * Applies a change of rights on this instance at once: credentials are checked again, and open streams are
   * ended, narrowed or widened.
   */
  readonly onAccessChanged: () => void
  /** The bytes that writes of an environment may store; absent without a bound. */
  readonly quotaBytes?: number
}

/** The input of a write's work: the transaction and the time. */
export interface WorkspaceWrite {
  readonly tx: Transaction<Database>
  /** Calls the function after the commit; never where the write is rolled back. */
  readonly afterCommit: (call: () => void) => void
  /** The time, ISO 8601 in UTC. */
  readonly now: string
  /** For the checks of all flags that the write concerns. */
  readonly budget: CheckBudget
}

/** The audit entry of one changed thing. */
export type WorkspaceAudit = Omit<AuditEntry, 'flag_key'> & {
  readonly project_id: string | null
  readonly environment_id: string | null
  /** Given where the entry closes the chain of its environment. */
  readonly chain?: 'workspace'
}

/** The outcome of a write's work. */
export interface WorkspaceWriteOutcome<T> {
  readonly result: T
  /** One entry for each changed thing; most writes change one. */
  readonly audit: WorkspaceAudit | readonly WorkspaceAudit[]
  /** True when the rights of any caller change. Every instance then authorizes again within a second. */
  readonly changesAccess: boolean
}

/**
 * Runs a write of users, access or structure: everything that SDKs do not see. One transaction runs the work
 * and stores its audit entries; a change of rights is announced to every instance. Any error of the work
 * rolls everything back.
 */
export async function writeWorkspace<T>(
  { bus, clock, db, onAccessChanged, quotaBytes }: WorkspaceWriteDeps,
  actor: Author,
  work: (write: WorkspaceWrite) => Promise<WorkspaceWriteOutcome<T>>,
): Promise<T> {
  const afterwards: (() => void)[] = []
  const afterCommit = (call: () => void) => void afterwards.push(call)
  const outcome = await db.transaction().execute(async (tx) => {
    const now = clock.now().toISOString()
    const budget = createCheckBudget(clock.monotonicMs)
    const outcome = await work({ tx, now, budget, afterCommit })
    const by = { actor_email: actorName(actor), trace: auditTrace(actor) }
    // Before the audit entries: the chains of the audit log are locked after everything else.
    if (outcome.changesAccess) await bumpAccessRevision(tx)
    for (const entry of [outcome.audit].flat()) {
      await recordAudit(tx, { ...entry, ...by, flag_key: '', now }, quotaBytes)
    }
    return outcome
  })
  for (const call of afterwards) call()
  if (outcome.changesAccess) {
    bus.publish({ kind: 'revocations' })
    onAccessChanged()
  }
  return outcome.result
}
