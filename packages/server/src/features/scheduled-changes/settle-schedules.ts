import type { UserActor } from '../../kernel/actor.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { listChangesBy } from './queries.ts'
import { type UnscheduleDeps, unscheduleChange } from './unschedule-change.ts'

/**
 * Withdraws the pending changes of a disabled user, or only counts them. Each is a write of its own, because
 * they are in several environments; one that cannot be withdrawn stays.
 */
export async function settleSchedules(
  deps: UnscheduleDeps,
  actor: UserActor,
  { email, wanted }: { readonly email: string; readonly wanted: 'keep' | 'cancel' },
): Promise<{ readonly kept: number; readonly cancelled: number }> {
  const pending = await listChangesBy(deps.db, email)
  if (wanted === 'keep') return { kept: pending.length, cancelled: 0 }
  const comment = actor.comment ?? `The account ${email} was disabled.`
  let cancelled = 0
  for (const { environment_id, id } of pending) {
    if (await isWithdrawn(deps, { ...actor, comment }, { environment_id, id })) cancelled += 1
  }
  return { kept: (await listChangesBy(deps.db, email)).length, cancelled }
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
