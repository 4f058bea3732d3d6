import type { ChangeRequest } from '@burgee/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { hasStatus } from '../../shared/api/api-error.ts'
import { notifyFailure, notifySuccess } from '../../shared/ui/notify.tsx'
import { type Decision, decide } from './decide.ts'

/** Decides a request; `perform` rejects where `run` shows the failure. */
export function useReview(request: ChangeRequest) {
  const client = useQueryClient()
  const [failure, setFailure] = useState<unknown>(null)
  const [busyWith, setBusyWith] = useState<Decision['kind'] | null>(null)
  const perform = async (decision: Decision): Promise<void> => {
    notifySuccess({ message: await decide(client, request, decision) })
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
