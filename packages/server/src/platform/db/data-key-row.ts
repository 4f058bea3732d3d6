import type { Transaction } from 'kysely'
import type { Database } from './tables.ts'

interface StoredDataKey {
  /** The wrapped key; null when there is none yet. */
  readonly data_key: string | null
  readonly is_setup_complete: boolean
}

/** Locks the key until the transaction ends, so that instances which start together agree. */
export async function lockDataKey(tx: Transaction<Database>): Promise<StoredDataKey> {
  const { data_key, setup_completed_at } = await tx
    .selectFrom('workspace')
    .select(['data_key', 'setup_completed_at'])
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  return { data_key, is_setup_complete: setup_completed_at !== null }
}
