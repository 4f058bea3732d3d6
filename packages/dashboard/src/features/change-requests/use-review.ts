import type { ChangeRequest } from '@burgee/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { hasStatus } from '../../shared/api/api-error.ts'
import { useScope } from '../../shared/scope/use-scope.ts'
import { notifyFailure, notifySuccess } from '../../shared/ui/notify.tsx'
import { type Decision, decide } from './decide.ts'

/** Decides a request; `perform` rejects where `run` shows the failure. */
export function useReview(request: ChangeRequest) {
  const client = useQueryClient()
  const [failure, setFailure] = useState<unknown>(null)
  const [busyWith, setBusyWith] = useState<Decision['kind'] | null>(null)
  const openRestore = useOpenRestore(request)
  const perform = async (decision: Decision): Promise<void> => {
    const { message, undoRevision } = await decide(client, request, decision)
    const onUndo = undoRevision === undefined ? undefined : () => openRestore(undoRevision)
    notifySuccess({ message, ...(onUndo && { onUndo }) })
  }
  const run = async (decision: Decision): Promise<void> => {
    setBusyWith(decision.kind)
    setFailure(null)
    try {
      await perform(decision)
    } catch (error) {
      setFailure(error)
      // It is no longer pending: the buttons disappear, and the failure beside them.
      if (hasStatus(error, 404) || hasStatus(error, 409))
        notifyFailure(`Request ${request.id} was not decided`, error)
    }
    setBusyWith(null)
  }
  return { run, perform, failure, busyWith }
}

/** Opens the review of a restore, on the page of the flag. */
function useOpenRestore({ flag_key }: ChangeRequest) {
  const navigate = useNavigate()
  const { project_id, environment_id } = useScope()
  return (revision: number) =>
    void navigate({
      to: '/projects/$project_id/environments/$environment_id/flags/$flag_key',
      params: { project_id, environment_id, flag_key },
      search: { tab: 'history', restore: String(revision) },
    })
}
