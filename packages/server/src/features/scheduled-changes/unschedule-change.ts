import { type WriteDeps, writeEnvironment } from '../../changes/index.ts'
import type { Actor } from '../../kernel/actor.ts'
import { notFound } from '../../kernel/refusal.ts'
import { lockPendingChange, removeScheduledChange } from './queries.ts'

/**
 * Withdraws a pending change. Refuses with `not_found` when it is unknown or executed
 * (docs/reference/governance.md#scheduled-changes).
 */
export async function unscheduleChange(
  deps: WriteDeps,
  actor: Actor,
  { environment_id, id }: { readonly environment_id: string; readonly id: string },
): Promise<void> {
  await writeEnvironment(deps, environment_id, actor, async ({ tx }) => {
    const change = await lockPendingChange(tx, environment_id, id)
    if (!change) throw notFound('scheduled change that could still be withdrawn')
    await removeScheduledChange(tx, id)
    return {
      result: undefined,
      changes: [],
      audit: {
        action: 'unschedule',
        flag_key: change.flag_key,
        before: change,
        after: null,
        metadata: { origin: 'direct', scheduled_change_id: id },
      },
      events: [],
    }
  })
}
