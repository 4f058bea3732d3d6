import type { ChangeRequest } from '@burgee/contract'
import { type EnvironmentWrite, type WriteOutcome, writeEnvironment } from '../../changes/index.ts'
import type { Actor } from '../../kernel/actor.ts'
import { isGuarded } from '../../kernel/approval.ts'
import { notFound } from '../../kernel/refusal.ts'
import type { FlagWriteDeps } from '../../targeting/flag-operations/index.ts'
import { findFlag } from '../../targeting/flags/index.ts'
import { lockPendingChange, removeScheduledChange } from './queries.ts'

type PendingChange = NonNullable<Awaited<ReturnType<typeof lockPendingChange>>>
export type UnscheduleDeps = Omit<FlagWriteDeps, 'onFlagDeleted'>

/**
 * Withdraws a pending change, or requests approval for it: where every change needs approval, what was
 * approved takes effect unless it is withdrawn by two people. Returns the request, or null. Refuses with
 * `not_found` when the change is unknown or executed (docs/reference/governance.md#scheduled-changes).
 */
export async function unscheduleChange(
  deps: UnscheduleDeps,
  actor: Actor,
  { environment_id, id }: { readonly environment_id: string; readonly id: string },
): Promise<ChangeRequest | null> {
  return writeEnvironment<ChangeRequest | null>(deps, environment_id, actor, async (write) => {
    const change = await lockPendingChange(write.tx, environment_id, id)
    if (!change) throw notFound('scheduled change that could still be withdrawn')
    const wasApproved = change.change_request_id !== null
    if (isGuarded(write.environment) && wasApproved) return requestWithdrawal(deps, write, actor, change)
    await removeScheduledChange(write.tx, id)
    return {
      result: null,
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

async function requestWithdrawal(
  deps: UnscheduleDeps,
  write: EnvironmentWrite,
  actor: Actor,
  { flag_key, id }: PendingChange,
): Promise<WriteOutcome<ChangeRequest>> {
  const flag = await findFlag(write.tx, write.environment.id, flag_key)
  if (!flag) throw notFound('flag')
  const operation = { operation: 'unschedule', scheduled_change_id: id } as const
  return deps.openChangeRequest(write, actor, { before: flag, after: flag, operation, scheduled_at: null })
}
