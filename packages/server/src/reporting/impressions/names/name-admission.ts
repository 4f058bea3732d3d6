import type { Transaction } from 'kysely'
import { reportHash } from '../../../platform/crypto/report-hash.ts'
import type { Database } from '../../../platform/db/tables.ts'
import { createKnownNames } from '../../ingest/known-names.ts'
import type { StoringAt } from '../../ingest/report-ingest.ts'
import type { CleanImpression, ImpressionBatch } from '../impression-batch.ts'
import { admitNames } from './admit-names.ts'
import type { ChosenName } from './choose-names.ts'
import type { ReportedName } from './queries.ts'

/** The characters of the names that an instance remembers. */
const REMEMBERED_CHARACTERS = 4 * 1024 * 1024

/** Creates the limit of new flag keys and values from client keys in an environment. */
export function createNameAdmission() {
  const known = createKnownNames({ charactersMax: REMEMBERED_CHARACTERS })
  return {
    /** Returns names that client keys reported and that this instance has not seen stored; usually none. */
    findUnknown(environment_id: string, batches: readonly ImpressionBatch[]): ReportedName[] {
      const unknown = createKnownNames({ charactersMax: Number.POSITIVE_INFINITY })
      const names: ReportedName[] = []
      for (const { impressions, isFromClient } of batches) {
        if (!isFromClient) continue
        for (const { flag_key, value } of impressions) {
          if (known.has(environment_id, flag_key, value) || unknown.has('', flag_key, value)) continue
          unknown.add('', flag_key, value)
          names.push({ flag_key, value, value_hash: reportHash(value) })
        }
      }
      return names
    },
    /** Returns the impressions of the batches under the admitted names. */
    async admit(
      tx: Transaction<Database>,
      at: StoringAt,
      batches: readonly ImpressionBatch[],
      names: readonly ReportedName[],
    ): Promise<{ impressions: CleanImpression[]; chosen: readonly ChosenName[] }> {
      const chosen = await admitNames(tx, at, names)
      const renamed = new Map<string, Map<string, ChosenName>>()
      names.forEach(({ flag_key, value }, index) => {
        const name = chosen[index]
        if (!name || (name.flag_key === flag_key && name.value === value)) return
        const values = renamed.get(flag_key) ?? new Map<string, ChosenName>()
        renamed.set(flag_key, values.set(value, name))
      })
      const impressions = batches.flatMap((batch) =>
        batch.isFromClient && renamed.size > 0
          ? batch.impressions.map((each) => ({ ...each, ...renamed.get(each.flag_key)?.get(each.value) }))
          : batch.impressions,
      )
      return { impressions, chosen }
    },
    /** Remembers admitted names. Call it after the commit. */
    remember(environment_id: string, chosen: readonly ChosenName[]): void {
      for (const { flag_key, value } of chosen) known.add(environment_id, flag_key, value)
    },
  }
}
