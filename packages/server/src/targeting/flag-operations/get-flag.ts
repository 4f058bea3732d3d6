import type { ListedFlag, Warning } from '@burgee/contract'
import type { Kysely } from 'kysely'
import { notFound } from '../../kernel/refusal.ts'
import type { Database } from '../../platform/db/tables.ts'
import { computeWarnings, findListedFlag, readForWarnings } from '../flags/index.ts'

/**
 * Returns a flag with its warnings: a flag that was stored before a warning existed has it too. Reads one
 * database snapshot, and computes after its end.
 */
export async function getFlag(
  db: Kysely<Database>,
  environment_id: string,
  key: string,
): Promise<{ flag: ListedFlag; warnings: Warning[] }> {
  const { flag, read } = await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      const flag = await findListedFlag(tx, environment_id, key)
      if (!flag) throw notFound('flag')
      return { flag, read: await readForWarnings({ tx, environment: { id: environment_id } }, flag) }
    })
  return { flag, warnings: await computeWarnings(read) }
}
