import type { Environment, Flag } from '@burgee/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { announceOutcome } from '../../../parts/flag-writes/announce-outcome.tsx'
import { forgetFlag, settleFlagWrite } from '../../../parts/flag-writes/flag-write.ts'
import { type Explained, send } from '../../../shared/api/call.ts'
import { notifySuccess } from '../../../shared/ui/notify.tsx'

interface DeletionPlace {
  readonly project_id: string
  readonly environment: Environment
  readonly onDone: () => void
}

/**
 * Deletes a flag, or requests the deletion if it needs approval. Afterwards the flag has no page to stay on.
 */
export function useDeleteFlag(flag: Flag, { project_id, environment, onDone }: DeletionPlace) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const env_id = environment.id
  return async (explained: Explained): Promise<void> => {
    const leave = async () => {
      await navigate({
        to: '/projects/$project_id/environments/$environment_id/flags',
        params: { project_id, environment_id: env_id },
        // Edits of a flag that is gone are nothing to stay for.
        ignoreBlocker: true,
      })
      forgetFlag(client, env_id, flag.key)
    }
    const input = { params: { env_id, key: flag.key } }
    const reply = await send('deleteFlag', input, {
      ...explained,
      ifMatch: flag.revision,
      settle: ({ status }) => (status === 202 ? undefined : leave()),
    })
    if (reply.status === 202) {
      const outcome = settleFlagWrite(client, env_id, reply)
      announceOutcome(outcome, { done: '', project_id, environment_id: env_id })
      return onDone()
    }
    notifySuccess({ message: `${flag.key} is deleted from ${environment.name}` })
  }
}
