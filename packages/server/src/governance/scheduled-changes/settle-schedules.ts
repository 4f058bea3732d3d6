import type { UserActor } from '../../kernel/actor.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { countPendingOf, listPendingOf, type ScheduledPlace } from './queries.ts'
import { type UnscheduleDeps, unscheduleChange } from './unschedule-change.ts'

/** The changes that are read at a time. */
const BATCH_SIZE = 200

/**
 * Withdraws the pending changes of a disabled user or service account, or only counts them. Each is a write
 * of its own, because they are in several environments; one that cannot be withdrawn stays.
 */
export async function settleSchedules(
  deps: UnscheduleDeps,
  actor: UserActor,
  { email, wanted }: { readonly email: string; readonly wanted: 'keep' | 'cancel' },
): Promise<{ readonly kept: number; readonly cancelled: number }> {
  const cancelled = wanted === 'cancel' ? await withdrawAll(deps, actor, email) : 0
  return { kept: await countPendingOf(deps.db, email), cancelled }
}

/** Withdraws the pending changes in batches. It ends, because a disabled user schedules nothing new. */
async function withdrawAll(deps: UnscheduleDeps, actor: UserActor, email: string): Promise<number> {
  const comment = actor.comment ?? `The account ${email} was disabled.`
  let cancelled = 0
  let after: ScheduledPlace | null = null
  for (;;) {
    const batch: Awaited<ReturnType<typeof listPendingOf>> = await listPendingOf(deps.db, email, {
      after,
      limit: BATCH_SIZE,
    })
    for (const { environment_id, id } of batch) {
      if (await isWithdrawn(deps, { ...actor, comment }, { environment_id, id })) cancelled += 1
    }
    after = batch.at(-1) ?? null
    if (batch.length < BATCH_SIZE) return cancelled
  }
}

async function isWithdrawn(
  deps: UnscheduleDeps,
  actor: UserActor,
  change: { readonly environment_id: string; readonly id: string },
): Promise<boolean> {
  try {
    // Where it waits for approval, it is not withdrawn yet.
    return (await unscheduleChange(deps, actor, change)) === null
  } catch (error) {
    // It was executed meanwhile, or the environment does not let it go.
    if (error instanceof Refusal && error.kind !== 'unavailable') return false
    throw error
  }
}
