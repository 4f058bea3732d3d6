import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { announceOutcome } from '../../../../parts/flag-writes/announce-outcome.tsx'
import { settleFlagWrite, storeFlag } from '../../../../parts/flag-writes/flag-write.ts'
import { ApiError, hasStatus } from '../../../../shared/api/api-error.ts'
import { call, send } from '../../../../shared/api/call.ts'
import { useScope } from '../../../../shared/scope/use-scope.ts'
import type { NewFlag } from './use-new-flag.ts'

/** Creates the flag and opens it. Rejects with what the form is to show. */
export function useCreateFlag() {
  const client = useQueryClient()
  const navigate = useNavigate()
  const { environment_id, project_id } = useScope()
  return async (draft: NewFlag): Promise<void> => {
    await requireAbsent(draft.key)
    const { description, key, owner_email, ...fields } = draft
    const reply = await send('putFlag', {
      params: { env_id: environment_id },
      body: {
        ...fields,
        key,
        description: description.trim() || null,
        owner_email: owner_email.trim() || null,
      },
    })
    const outcome = settleFlagWrite(client, environment_id, reply)
    announceOutcome(outcome, { done: `${key} is created`, project_id, environment_id })
    await navigate({
      to: '/projects/$project_id/environments/$environment_id/flags/$flag_key',
      params: { project_id, environment_id, flag_key: key },
    })
  }

  /** Putting a flag replaces one of the same key: one that somebody else has just created is put on the list instead. */
  async function requireAbsent(key: string): Promise<void> {
    try {
      const flag = await call('getFlag', { params: { env_id: environment_id, key } })
      storeFlag(client, environment_id, flag)
    } catch (error) {
      if (hasStatus(error, 404)) return
      throw error
    }
    const message = 'Somebody else has just created a flag with this key.'
    throw new ApiError(409, { error: message, details: [{ path: '/key', message }] })
  }
}
