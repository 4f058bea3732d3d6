import type { ScheduledChange } from '@burgee/contract'
import { useQueryClient } from '@tanstack/react-query'
import { call, send } from '../api/call.ts'
import { refresh } from '../api/queries.ts'
import { useScope } from '../scope/use-scope.ts'
import { notifyFailure, notifySuccess } from '../ui/notify.tsx'

/** Withdraws a change that has not run; it can be scheduled again as it was, where that needs nobody's approval. */
export function useCancelSchedule(): (change: ScheduledChange) => Promise<void> {
  const client = useQueryClient()
  const { environment } = useScope()
  const renew = () => refresh(client, 'listScheduledChanges', 'listFlagScheduledChanges')
  const scheduleAgain = async ({
    environment_id: env_id,
    flag_key: key,
    patch,
    scheduled_at,
  }: ScheduledChange) => {
    try {
      await send('createScheduledChange', { params: { env_id, key }, body: { scheduled_at, patch } })
      await renew()
    } catch (error) {
      notifyFailure('The change was not scheduled again', error)
    }
  }
  return async (change) => {
    try {
      await call('deleteScheduledChange', { params: { env_id: change.environment_id, id: change.id } })
      notifySuccess({
        message: `The scheduled change of ${change.flag_key} is cancelled`,
        ...(environment?.require_approval === false && { onUndo: () => void scheduleAgain(change) }),
      })
    } catch (error) {
      notifyFailure('The change was not cancelled', error)
    }
    await renew()
  }
}
