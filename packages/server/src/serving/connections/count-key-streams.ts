import type { Kysely } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'
import type { KeyStreamCounts } from './key-stream-counts.ts'
import { findReportedByKey } from './queries.ts'

interface CountDeps {
  readonly db: Kysely<Database>
  /** The id of this instance among those that share the database. */
  readonly instance_id: string
  readonly keyCounts: Pick<KeyStreamCounts, 'of'>
}

/**
 * Returns the open streams of each key over all instances. Those of this instance are current; others
 * reported theirs about a second ago.
 */
export async function countKeyStreams(
  { db, instance_id, keyCounts }: CountDeps,
  keyIds: readonly number[],
): Promise<Map<number, number>> {
  const elsewhere = await findReportedByKey(db, { instance_id, keyIds })
  return new Map(keyIds.map((id) => [id, keyCounts.of(id) + (elsewhere.get(id) ?? 0)]))
}
