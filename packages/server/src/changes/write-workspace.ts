import type { Kysely, Transaction } from 'kysely'
import { type Author, actorName } from '../kernel/actor.ts'
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
  /** Acts on this instance at once: credentials are judged anew, open streams are ended, narrowed or widened. */
  readonly onAccessChanged: () => void
  /** What the writes of one environment may store; absent where nothing bounds them. */
  readonly quotaBytes?: number
}

/** What the work of a write is given: the transaction and the moment of the write. */
export interface WorkspaceWrite {
  readonly tx: Transaction<Database>
  /** ISO-8601 UTC. */
  readonly now: string
}

/** What the audit log is told of one thing that was changed. */
export type WorkspaceAudit = Omit<AuditEntry, 'flag_key'> & {
  readonly project_id: string | null
  readonly environment_id: string | null
}

/** What the work tells of itself. */
export interface WorkspaceWriteOutcome<T> {
  readonly result: T
  /** One for each thing that was changed; most writes change one. */
  readonly audit: WorkspaceAudit | readonly WorkspaceAudit[]
  /** Whether anybody may now do or see more or less than before: then every instance judges again, within a second. */
  readonly changesAccess: boolean
}

/**
 * The door for changes to people, access and structure: whatever SDKs do not see. One transaction runs the work and
 * stores its audit entry; what changes access is told to every instance. Whatever the work throws rolls everything back.
 */
export async function writeWorkspace<T>(
  { bus, clock, db, onAccessChanged, quotaBytes }: WorkspaceWriteDeps,
  actor: Author,
  work: (write: WorkspaceWrite) => Promise<WorkspaceWriteOutcome<T>>,
): Promise<T> {
  const outcome = await db.transaction().execute(async (tx) => {
    const now = clock.now().toISOString()
    const outcome = await work({ tx, now })
    const by = { actor_email: actorName(actor), trace: auditTrace(actor) }
    for (const entry of [outcome.audit].flat()) {
      await recordAudit(tx, { ...entry, ...by, flag_key: '', now }, quotaBytes)
    }
    if (outcome.changesAccess) await bumpAccessRevision(tx)
    return outcome
  })
  if (outcome.changesAccess) {
    bus.publish({ kind: 'revocations' })
    onAccessChanged()
  }
  return outcome.result
}
