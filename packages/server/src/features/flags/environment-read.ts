import type { Transaction } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'

/** An environment as one transaction sees it: what a write and a look at a write that is not done have in common. */
export interface EnvironmentRead {
  readonly tx: Transaction<Database>
  readonly environment: { readonly id: string }
}
