import { createFlagSet, type FlagSet } from '@burgee/evaluation'
import type { Transaction } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'
import { shareTurn } from '../../platform/turns.ts'
import { findFlags, toWireFlag } from '../flags/index.ts'
import { readSegments } from '../rules/index.ts'

/** The depth to which prerequisites are evaluated. */
const PREREQUISITE_LEVELS = 10

/** Flags with all that they require. */
export interface Closure {
  /** The flags as SDKs evaluate them. */
  readonly flags: FlagSet
  /** Returns the keys of flags and of all that they require, whether these exist or not. */
  keysBehind(keys: readonly string[]): ReadonlySet<string>
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
    wanted = [...new Set(wanted.flatMap((key) => required.get(key) ?? []))].filter(
      (key) => !required.has(key),
    )
  }
  return { flags, keysBehind: (from) => reach(required, from) }
}

function reach(required: ReadonlyMap<string, readonly string[]>, from: readonly string[]): Set<string> {
  const reached = new Set(from)
  for (const key of reached) for (const next of required.get(key) ?? []) reached.add(next)
  return reached
}
