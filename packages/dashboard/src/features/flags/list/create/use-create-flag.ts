import type { Environment } from '@burgee/contract'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { announceOutcome } from '../../../../parts/flag-writes/announce-outcome.tsx'
import { settleFlagWrite, storeFlag } from '../../../../parts/flag-writes/flag-write.ts'
import { ApiError, hasStatus } from '../../../../shared/api/api-error.ts'
import { call, send } from '../../../../shared/api/call.ts'
import { useScope } from '../../../../shared/scope/use-scope.ts'
import { notifyFailure } from '../../../../shared/ui/notify.tsx'
import type { NewFlag } from './use-new-flag.ts'

/**
 * Creates the flag, in the other environments too if that is chosen, and opens it. Rejects with an error that
 * the form shows.
 */
export function useCreateFlag() {
  const client = useQueryClient()
  const navigate = useNavigate()
  const { environment_id, environments, project_id } = useScope()
  return async (draft: NewFlag, comment: string | undefined): Promise<void> => {
    const { key, scope } = draft
    const reply = await putNewFlag(environment_id, draft, comment).catch(async (error: unknown) => {
      if (!hasStatus(error, 412)) throw error
      // Another person has created it meanwhile: the list then shows it.
      storeFlag(client, environment_id, await call('getFlag', { params: { env_id: environment_id, key } }))
      throw keyTaken()
    })
    const outcome = settleFlagWrite(client, environment_id, reply)
    const others = scope === 'all' ? environments.filter(({ id }) => id !== environment_id) : []
    const elsewhere = await createElsewhere(client, others, { draft, comment })
    const created = elsewhere + (outcome.kind === 'done' ? 1 : 0)
    const where = created > 1 ? ` in ${created} environments` : ''
    announceOutcome(outcome, { done: `${key} is created${where}`, project_id, environment_id })
    if (outcome.kind === 'asked') {
      return navigate({
        to: '/projects/$project_id/environments/$environment_id/change-requests',
        params: { project_id, environment_id },
        search: { id: String(outcome.request.id) },
      })
    }
    await navigate({
      to: '/projects/$project_id/environments/$environment_id/flags/$flag_key',
      params: { project_id, environment_id, flag_key: key },
    })
  }
}

/** Rejects with 412 where a flag has the key already. */
function putNewFlag(env_id: string, draft: NewFlag, comment: string | undefined) {
  const { description, owner_email, scope: _, ...fields } = draft
  const body = {
    ...fields,
    description: description.trim() || null,
    owner_email: owner_email.trim() || null,
  }
  return send('putFlag', { params: { env_id }, body }, { isNew: true, comment })
}

/**
 * Creates the flag, off, in the environments that have none with its key. A failure in one of them is shown
 * and does not keep the others without the flag. Gives the number of environments in which it was created.
 */
async function createElsewhere(
  client: QueryClient,
  environments: readonly Environment[],
  { comment, draft }: { readonly draft: NewFlag; readonly comment: string | undefined },
): Promise<number> {
  let created = 0
  for (const { id, name } of environments) {
    try {
      const reply = await putNewFlag(id, { ...draft, is_enabled: false }, comment)
      // One that waits for approval is not created yet.
      if (settleFlagWrite(client, id, reply).kind === 'done') created += 1
    } catch (error) {
      if (!hasStatus(error, 412)) notifyFailure(`${draft.key} was not created in ${name}`, error)
    }
  }
  return created
}

function keyTaken(): ApiError {
  const message = 'A flag with this key exists already.'
  return new ApiError(409, { error: message, details: [{ path: '/key', message }] })
}
