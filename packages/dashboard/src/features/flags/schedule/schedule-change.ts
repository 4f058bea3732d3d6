import type { EndpointInput, Environment } from '@burgee/contract'
import type { QueryClient } from '@tanstack/react-query'
import { announceOutcome } from '../../../parts/flag-writes/announce-outcome.tsx'
import { settleFlagWrite } from '../../../parts/flag-writes/flag-write.ts'
import { formatMinute } from '../../../parts/schedule/format-minute.ts'
import { send } from '../../../shared/api/call.ts'
import { notifySuccess } from '../../../shared/ui/notify.tsx'

interface ScheduleOrder {
  readonly project_id: string
  readonly environment: Environment
  readonly flag_key: string
  /** ISO-8601. */
  readonly scheduled_at: string
  readonly patch: EndpointInput<'patchFlag'>['body']
  readonly comment: string | undefined
}

/** Schedules a change, or requests it if every change needs approval. States which of the two it did. */
export async function scheduleChange(client: QueryClient, order: ScheduleOrder): Promise<void> {
  const { comment, environment, flag_key, patch, project_id, scheduled_at } = order
  const input = { params: { env_id: environment.id, key: flag_key }, body: { scheduled_at, patch } }
  const reply = await send('createScheduledChange', input, { comment })
  if (reply.status === 202) {
    const outcome = settleFlagWrite(client, environment.id, reply)
    announceOutcome(outcome, { done: '', project_id, environment_id: environment.id })
    return
  }
  notifySuccess({ message: `${flag_key} will change on ${formatMinute(scheduled_at)}` })
}
