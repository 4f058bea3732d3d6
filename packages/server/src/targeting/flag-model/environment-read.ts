import type { Kysely } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'

/** An environment as it is read: by one transaction, where what is read must agree. */
export interface EnvironmentRead {
  readonly tx: Kysely<Database>
  readonly environment: { readonly id: string }
}
