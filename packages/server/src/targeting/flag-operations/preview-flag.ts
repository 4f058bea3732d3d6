import type { Flag, FlagInput, FlagPreview } from '@burgee/contract'
import type { Kysely } from 'kysely'
import { createCheckBudget } from '../../kernel/check-budget.ts'
import type { Clock } from '../../platform/clock.ts'
import { shareTurn } from '../../platform/concurrency/turns.ts'
import type { Database } from '../../platform/db/tables.ts'
import { applyOperation, diffFlags, findOwnerWarnings } from '../flag-model/index.ts'
import { findFlag, findWarnings, requireSendable } from '../flags/index.ts'

interface PreviewDeps {
  readonly db: Kysely<Database>
  readonly clock: Clock
}

interface PreviewInput {
  readonly environment_id: string
  readonly flag: FlagInput
}

/**
 * Returns the effect of replacing a flag, computed by the same code: the flag before and after, with the
 * previous revision, and the warnings of the write. It reads one database snapshot and locks nothing. Refuses
 * with `invalid` what the write would refuse.
 */
export async function previewFlag(
  { clock, db }: PreviewDeps,
  { environment_id, flag }: PreviewInput,
): Promise<FlagPreview> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      const read = { tx, environment: { id: environment_id } }
      const before = (await findFlag(tx, environment_id, flag.key)) ?? null
      await shareTurn()
      const after = await replaced(before, flag, clock)
      await shareTurn()
      await requireSendable(read, after)
      await shareTurn()
      const changes = diffFlags(before, after)
      const warnings = [...(await findWarnings(read, after)), ...findOwnerWarnings(before, after)]
      return { before, after, changes, warnings }
    })
}

async function replaced(before: Flag | null, flag: FlagInput, clock: Clock): Promise<Flag> {
  const moment = { now: clock.now().toISOString(), budget: createCheckBudget(clock.monotonicMs) }
  const { after } = await applyOperation(before, { operation: 'replace', flag }, moment)
  if (!after) throw new Error('what is replaced is there afterwards')
  return after
}
