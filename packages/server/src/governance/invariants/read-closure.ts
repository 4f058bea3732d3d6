import { createFlagSet, type FlagSet } from '@burgee/evaluation'
import type { Transaction } from 'kysely'
import { shareTurn } from '../../platform/concurrency/turns.ts'
import type { Database } from '../../platform/db/tables.ts'
import { leadTo } from '../../platform/lead-to.ts'
import { toWireFlag } from '../../targeting/flag-model/index.ts'
import { findFlags } from '../../targeting/flags/index.ts'
import { readSegments } from '../../targeting/segment-rows/index.ts'

/** The depth to which prerequisites are evaluated. */
const PREREQUISITE_LEVELS = 10

/** Flags with all that they require. */
export interface Closure {
  /** The flags as SDKs evaluate them. */
  readonly flags: FlagSet
  /** Returns whether the key is one of these flags, whether that exists or not. */
  covers(key: string): boolean
  /** Returns these keys, and those of the read flags that require one of them, at any depth. */
  leadingTo(keys: readonly string[]): Promise<ReadonlySet<string>>
}

/** Reads flags of a locked environment with all that they require. */
export async function readClosure(
  tx: Transaction<Database>,
  environment_id: string,
  keys: readonly string[],
): Promise<Closure> {
  const segments = await readSegments(tx, environment_id)
  const flags = createFlagSet()
  const required = new Map<string, readonly string[]>()
  let wanted = [...new Set(keys)]
  for (let level = 0; level <= PREREQUISITE_LEVELS && wanted.length > 0; level += 1) {
    for (const key of wanted) required.set(key, [])
    for (const flag of await findFlags(tx, environment_id, wanted)) {
      await shareTurn()
      if (flag.archived_at === null) flags.upsert(toWireFlag(flag, segments))
      required.set(
        flag.key,
        flag.prerequisites.map(({ flag_key }) => flag_key),
      )
    }
    const next = new Set<string>()
    for (const key of wanted) {
      await shareTurn()
      for (const each of required.get(key) ?? []) if (!required.has(each)) next.add(each)
    }
    wanted = [...next]
  }
  const beyond = new Set(wanted)
  return {
    flags,
    covers: (key) => required.has(key) || beyond.has(key),
    leadingTo: (keys) => leadTo(keys, required),
  }
}
