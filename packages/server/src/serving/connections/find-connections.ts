import type { Connections } from '@burgee/contract'
import type { Kysely } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'
import { findReported } from './queries.ts'
import type { StreamCounts } from './stream-counts.ts'

export interface FindConnectionsDeps {
  readonly db: Kysely<Database>
  /** The id of this instance among those that share the database. */
  readonly instance_id: string
  readonly counts: Pick<StreamCounts, 'of'>
}

/**
 * Returns the number of SDKs that are connected to the environment over all instances, and the time of the
 * latest connection (docs/reference/flags.md). Those of this instance are current; others reported theirs
 * about a second ago.
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

/** ISO 8601 timestamps of one format sort by time. */
function later(left: string | null, right: string | null): string | null {
  if (left === null || right === null) return left ?? right
  return left > right ? left : right
}
