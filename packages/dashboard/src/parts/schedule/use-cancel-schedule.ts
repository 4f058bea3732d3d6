import type { ScheduledChange } from '@burgee/contract'
import { useQueryClient } from '@tanstack/react-query'
import { send } from '../../shared/api/call.ts'
import { refresh } from '../../shared/api/queries.ts'
import { type Confirmation, confirm } from '../../shared/forms/confirm.tsx'
import { needsApproval } from '../../shared/scope/needs-approval.ts'
import { useScope } from '../../shared/scope/use-scope.ts'
import { notifyFailure, notifySuccess } from '../../shared/ui/notify.tsx'
import { formatMinute } from './format-minute.ts'

/**
 * Withdraws a change that has not run: at once where it can be scheduled again as it was, else after a
 * confirmation.
 */
export function useCancelSchedule(): (change: ScheduledChange) => void {
  const client = useQueryClient()
  const { environment } = useScope()
  const scheduleAgain = async ({
    environment_id: env_id,
    flag_key: key,
    patch,
    scheduled_at,
  }: ScheduledChange) => {
    try {
      await send('createScheduledChange', { params: { env_id, key }, body: { scheduled_at, patch } })
    } catch (error) {
      notifyFailure('The change was not scheduled again', error)
    }
  }
  const isFinal = needsApproval(environment)
  const cancel = async (change: ScheduledChange, comment?: string) => {
    const params = { env_id: change.environment_id, id: change.id }
    const reply = await send('deleteScheduledChange', { params }, { comment }).catch((error: unknown) => {
      // It may have run, or someone else was first.
      void refresh(client, 'listScheduledChanges', 'listFlagScheduledChanges')
      throw error
    })
    if (reply.status === 202) {
      notifySuccess({
        title: 'Waiting for approval',
        message: `The change of ${change.flag_key} is still scheduled: someone else has to approve that it is withdrawn.`,
      })
      return
    }
    notifySuccess({
      message: `The scheduled change of ${change.flag_key} is canceled`,
      ...(!isFinal && { onUndo: () => void scheduleAgain(change) }),
    })
  }
  return (change) => {
    if (isFinal) {
      return askFirst(change, { commentIn: environment, onConfirm: (comment) => cancel(change, comment) })
    }
    cancel(change).catch((error: unknown) => notifyFailure('The change was not canceled', error))
  }
}

const askFirst = (
  { flag_key, scheduled_at }: ScheduledChange,
  consent: Pick<Confirmation, 'commentIn' | 'onConfirm'>,
) =>
  confirm({
    title: 'Cancel the approved change?',
    children: `Someone else has to approve that ${flag_key} does not change on ${formatMinute(scheduled_at)}, unless it was scheduled without approval.`,
    confirmLabel: 'Cancel change',
    ...consent,
  })
