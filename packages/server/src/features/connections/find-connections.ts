import type { Connections } from '@burgee/contract'
import type { Kysely } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'
import { findReported } from './queries.ts'
import type { StreamCounts } from './stream-counts.ts'

export interface FindConnectionsDeps {
  readonly db: Kysely<Database>
  /** This instance's, among all that share the database. */
  readonly instance_id: string
  readonly counts: Pick<StreamCounts, 'of'>
}

/**
 * How many SDKs are connected to the environment, over all instances, and when one last connected (docs/reference/flags.md).
 * This instance's own are counted as they are, those of others as they reported them, at most a second or so ago.
 */
export async function findConnections(
  { counts, db, instance_id }: FindConnectionsDeps,
  environment_id: string,
): Promise<Connections> {
  const elsewhere = await findReported(db, { environment_id, instance_id })
  const here = counts.of(environment_id)
  return {
    streams: here.streams + elsewhere.streams,
    last_connected_at: later(here.connected_at, elsewhere.last_connected_at),
  }
}

/** ISO-8601 UTC timestamps of one form are in the order of time. */
function later(left: string | null, right: string | null): string | null {
  if (left === null || right === null) return left ?? right
  return left > right ? left : right
}
