import type { Kysely, Transaction } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'

interface StoredSetup {
  readonly setup_token_hash: string | null
  readonly setup_token_seed: string | null
  /** The time, ISO 8601 in UTC; null until setup is complete. */
  readonly setup_completed_at: string | null
}

const COLUMNS = ['setup_token_hash', 'setup_token_seed', 'setup_completed_at'] as const

export async function readSetup(db: Kysely<Database>): Promise<StoredSetup> {
  return db.selectFrom('workspace').select(COLUMNS).executeTakeFirstOrThrow()
}

/**
 * Reads the state of setup and locks it until the transaction ends: one setup, and one token, at a time.
 */
export async function lockSetup(tx: Transaction<Database>): Promise<StoredSetup> {
  return tx.selectFrom('workspace').select(COLUMNS).forUpdate().executeTakeFirstOrThrow()
}
