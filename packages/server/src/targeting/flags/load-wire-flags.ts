import type { Flag } from '@burgee/contract'
import type { Kysely } from 'kysely'
import type { WireFlag } from '../../kernel/wire-flag.ts'
import { shareTurn } from '../../platform/concurrency/turns.ts'
import type { Database } from '../../platform/db/tables.ts'
import { toWireFlag } from '../flag-model/index.ts'
import type { Segments } from '../rules/index.ts'
import { readSegments } from '../segment-rows/index.ts'
import { findRevision, listActiveFlags } from './queries.ts'

/**
 * Returns the flags of an environment's SDKs at one revision, read in one database snapshot; null when the
 * environment does not exist.
 */
export async function loadWireFlags(
  db: Kysely<Database>,
  environment_id: string,
): Promise<{ environment_id: string; project_id: string; revision: number; flags: WireFlag[] } | null> {
  const read = await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      const environment = await findRevision(tx, environment_id)
      if (!environment) return null
      const segments = await readSegments(tx, environment_id)
      return { environment, segments, flags: await listActiveFlags(tx, environment_id) }
    })
  if (!read) return null
  return { environment_id, ...read.environment, flags: await expandAll(read.flags, read.segments) }
}

async function expandAll(flags: readonly Flag[], segments: Segments): Promise<WireFlag[]> {
  const expanded: WireFlag[] = []
  for (const flag of flags) {
    // A flag of a few bytes may name segments whose expansion takes milliseconds.
    await shareTurn()
    expanded.push(toWireFlag(flag, segments))
  }
  return expanded
}
