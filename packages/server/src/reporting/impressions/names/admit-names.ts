import { CLIENT_NEW_FLAG_KEYS_A_DAY, CLIENT_NEW_VALUES_A_DAY } from '@burgee/contract'
import type { Transaction } from 'kysely'
import type { Database } from '../../../platform/db/tables.ts'
import { addTakenNames, findTakenNames } from '../../ingest/name-queries.ts'
import type { StoringAt } from '../../ingest/report-ingest.ts'
import { type ChosenName, chooseNames, NO_FLAG, poolOf } from './choose-names.ts'
import { findNameFacts, findPossibleValues, type NameFacts, type ReportedName } from './queries.ts'

const LIMITS = { flagKeys: CLIENT_NEW_FLAG_KEYS_A_DAY, values: CLIENT_NEW_VALUES_A_DAY }

/**
 * Chooses the names under which the reports of client keys are stored, in order, and counts the new ones. It
 * runs in the transaction that has drawn ids, so that no other instance counts for the environment at the
 * same time.
 */
export async function admitNames(
  tx: Transaction<Database>,
  { drawn, environment_id }: StoringAt,
  names: readonly ReportedName[],
): Promise<readonly ChosenName[]> {
  const facts = await findNameFacts(tx, environment_id, names)
  const at = { environment_id, day: drawn.received_on }
  const pools = new Set(names.flatMap((name, index) => poolsOf(name, facts[index])))
  if (pools.size === 0) return names
  const keys = await findTakenNames(tx, { ...at, kind: 'flag' }, [NO_FLAG])
  const values = await findTakenNames(tx, { ...at, kind: 'value' }, [...pools])
  const taken = { flagKeys: keys.get(NO_FLAG) ?? 0, values }
  const doubtful = names.filter((name, index) => {
    const known = facts[index]
    return (
      known?.is_flag &&
      !known.is_value_known &&
      (values.get(name.flag_key) ?? 0) + names.length > LIMITS.values
    )
  })
  const possible = await readPossible(tx, environment_id, doubtful)
  const canGive = ({ flag_key, value }: ReportedName) => possible.get(flag_key)?.has(value) === true
  const { chosen, newFlagKeys, newValues } = chooseNames(names, facts, { taken, limits: LIMITS, canGive })
  if (newFlagKeys > 0) await addTakenNames(tx, { ...at, kind: 'flag' }, new Map([[NO_FLAG, newFlagKeys]]))
  await addTakenNames(tx, { ...at, kind: 'value' }, newValues)
  return chosen
}

/** Returns the pools that a name may be taken from; none for a known name. */
function poolsOf(name: ReportedName, facts: NameFacts | undefined): string[] {
  return facts && (!facts.is_value_known || !(facts.is_flag || facts.is_key_known))
    ? [poolOf(name, facts)]
    : []
}

/** Reads only flags whose values may exceed the daily limit: reading definitions costs more than the rest. */
async function readPossible(
  tx: Transaction<Database>,
  environment_id: string,
  doubtful: readonly ReportedName[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const possible = new Map<string, Set<string>>()
  if (doubtful.length === 0) return possible
  for (const { flag_key, value } of await findPossibleValues(tx, environment_id, doubtful)) {
    possible.set(flag_key, (possible.get(flag_key) ?? new Set()).add(value))
  }
  return possible
}
