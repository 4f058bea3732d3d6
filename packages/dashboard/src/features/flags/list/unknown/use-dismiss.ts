import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../../shared/api/call.ts'
import { refresh } from '../../../../shared/api/queries.ts'
import { useScope } from '../../../../shared/scope/use-scope.ts'
import { notifyFailure } from '../../../../shared/ui/notify.tsx'

/** Removes a key from the list of flags that do not exist. */
export function useDismiss(flag_key: string) {
  const client = useQueryClient()
  const { environment_id } = useScope()
  const [isBusy, setBusy] = useState(false)
  const dismiss = async (): Promise<void> => {
    setBusy(true)
    try {
      await call('dismissUnknownFlag', { params: { env_id: environment_id, key: flag_key } })
    } catch (error) {
      notifyFailure(`${flag_key} was not dismissed`, error)
      // Someone else may have dismissed it first.
      await refresh(client, 'listUnknownFlags')
    }
    setBusy(false)
  }
  return { dismiss, isBusy }
}
