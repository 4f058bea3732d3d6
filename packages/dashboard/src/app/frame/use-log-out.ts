import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { call } from '../../shared/api/call.ts'
import { notifyFailure } from '../../shared/ui/notify.tsx'
import { forgetUserData, keepColourScheme } from '../../shared/user-data.ts'

/** Ends the session and leaves nothing of it on the page. */
export function useLogOut(): () => Promise<void> {
  const client = useQueryClient()
  const navigate = useNavigate()
  return async () => {
    const restoreColourScheme = keepColourScheme()
    try {
      await call('logout', {})
    } catch (error) {
      notifyFailure('You are still signed in', error)
      return
    }
    forgetUserData()
    restoreColourScheme()
    client.clear()
    await navigate({ to: '/login' })
  }
}
