import { mergePatch, type Preferences, type PreferencesPatch } from '@burgee/contract'
import type { JsonValue } from '@burgee/evaluation'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { send } from '../api/call.ts'
import { endpointQuery, refresh } from '../api/queries.ts'
import { notifyFailure } from '../ui/notify.tsx'

/** They change in other tabs and browsers of the same person only. */
const FRESH_MS = 60_000

const NONE: Preferences = { favorite_flags: {}, saved_filters: {}, environment_order: [] }

/**
 * The preferences of the person who is signed in, for a project. A change is shown at once. If it cannot be
 * stored, the person reads why, and the stored ones are shown again.
 */
export function usePreferences(project_id: string) {
  const client = useQueryClient()
  const query = endpointQuery('getPreferences', { params: { project_id } })
  const { data } = useQuery({ ...query, enabled: project_id !== '', staleTime: FRESH_MS })
  const change = useCallback(
    async (patch: PreferencesPatch): Promise<boolean> => {
      const params = { project_id }
      const { queryKey } = endpointQuery('getPreferences', { params })
      await client.cancelQueries({ queryKey })
      // A merge of two valid documents is one as well.
      client.setQueryData(
        queryKey,
        (known = NONE) => mergePatch(known as JsonValue, patch as JsonValue) as unknown as Preferences,
      )
      try {
        // The response has all of them, also those that were not read before this change.
        client.setQueryData(queryKey, (await send('updatePreferences', { params, body: patch })).body)
        return true
      } catch (error) {
        notifyFailure('Your preferences were not stored', error)
        await refresh(client, 'getPreferences')
        return false
      }
    },
    [client, project_id],
  )
  return { preferences: data ?? NONE, isKnown: data !== undefined, change }
}
