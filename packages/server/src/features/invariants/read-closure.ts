import { createFlagSet, type FlagSet } from '@burgee/evaluation'
import type { Transaction } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'
import { findFlags, toWireFlag } from '../flags/index.ts'
import { readSegments } from '../rules/index.ts'

/** The depth to which prerequisites are evaluated. */
const PREREQUISITE_LEVELS = 10

/** Returns flags of a locked environment with all that they require, as SDKs evaluate them. */
export async function readClosure(
  tx: Transaction<Database>,
  environment_id: string,
  keys: readonly string[],
): Promise<FlagSet> {
  const segments = await readSegments(tx, environment_id)
  const flags = createFlagSet()
  const seen = new Set<string>()
  let wanted = [...new Set(keys)]
  for (let level = 0; level <= PREREQUISITE_LEVELS && wanted.length > 0; level += 1) {
    for (const key of wanted) seen.add(key)
    const found = await findFlags(tx, environment_id, wanted)
    for (const flag of found) if (flag.archived_at === null) flags.upsert(toWireFlag(flag, segments))
    const required = found.flatMap(({ prerequisites }) => prerequisites.map(({ flag_key }) => flag_key))
    wanted = [...new Set(required)].filter((key) => !seen.has(key))
  }
  return flags
}
