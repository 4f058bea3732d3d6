import type { Transaction } from 'kysely'
import type { Author } from '../kernel/actor.ts'
import type { CheckBudget } from '../kernel/check-budget.ts'
import type { Database } from '../platform/db/tables.ts'
import type { LockedEnvironment } from './queries.ts'

/** The input of a write's work: the transaction, the locked environment and the time. */
export interface EnvironmentWrite {
  readonly tx: Transaction<Database>
  readonly environment: LockedEnvironment
  /** The other environments that the write locks, by id. */
  readonly others: ReadonlyMap<string, LockedEnvironment>
  /** The revision of the write's first change; the second has the next one, and so on. */
  readonly nextRevision: number
  /** The time, ISO 8601 in UTC. */
  readonly now: string
  /** For the checks of all flags that the write changes. */
  readonly budget: CheckBudget
  /** Calls the function after the commit; never where the write is rolled back. */
  readonly afterCommit: (call: () => void) => void
  /**
   * Leaves a statement unawaited, so that it travels with those after it. Where it fails, so does the write.
   * Absent where the write is a part of another one.
   */
  readonly send?: (statement: Promise<unknown>) => void
  /** On whose behalf. */
  readonly author: Author
}
