import type { Transaction } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'

/** An environment in one transaction, for writes and for previews of writes. */
export interface EnvironmentRead {
  readonly tx: Transaction<Database>
  readonly environment: { readonly id: string }
}
