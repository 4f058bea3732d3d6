import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useScope } from '../../shared/scope/use-scope.ts'
import { followEnvironment } from './follow-environment.ts'

/** Keeps the flags of the open environment as they are on the server, while the tab is in sight. */
export function LiveUpdates() {
  const client = useQueryClient()
  const { environment_id } = useScope()
  useEffect(() => {
    if (environment_id === '') return
    return followEnvironment(client, environment_id)
  }, [client, environment_id])
  return null
}
