import { onTestFinished } from 'vitest'
import { createTestDatabase, toUrl } from '../../packages/server/test/harness/database.ts'

/**
 * Clones the run's migrated database, or an empty one, for the running test, at whose end it is dropped.
 * Returns its `DATABASE_URL`.
 */
export async function cloneDatabase(from: 'migrated' | 'empty' = 'migrated'): Promise<string> {
  const database = await createTestDatabase({ from })
  onTestFinished(database.drop)
  return toUrl(database.connection)
}
