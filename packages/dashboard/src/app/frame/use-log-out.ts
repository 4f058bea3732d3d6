import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { hasStatus } from '../../shared/api/api-error.ts'
import { call } from '../../shared/api/call.ts'
import { endpointQuery } from '../../shared/api/queries.ts'
import { logOut } from '../../shared/api/session-signals.ts'
import { notifyFailure } from '../../shared/ui/notify.tsx'
import { forgetUserData, keepColorScheme } from '../../shared/user-data.ts'

/** Ends the session and leaves nothing of it on the page. */
export function useLogOut(): () => Promise<void> {
  const client = useQueryClient()
  const navigate = useNavigate()
  return async () => {
    const restoreColorScheme = keepColorScheme()
    let url: string | null = null
    try {
      const { label } = await client.ensureQueryData(endpointQuery('getSignInOptions', {}))
      if (label === null) await call('logout', {}, { expectsExpiry: true })
      else url = (await call('logOutAtProvider', {}, { expectsExpiry: true })).url
    } catch (error) {
      // A session that has ended already is the requested result.
      if (!hasStatus(error, 401)) {
        notifyFailure('You are still signed in', error)
        return
      }
    }
    logOut.announce()
    forgetUserData()
    restoreColorScheme()
    client.clear()
    // The session at the identity provider ends as well.
    if (url !== null) location.assign(url)
    else await navigate({ to: '/login' })
  }
}
