import { EXPOSURE_DAYS_DEFAULT } from '@burgee/contract'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { endpointQuery } from '../../../shared/api/queries.ts'
import { type Activity, activityByFlag } from './activity-by-flag.ts'

/**
 * Impressions of the last 14 days by flag key. Undefined until they are there: the list does not wait for
 * them.
 */
export function useActivity(env_id: string): ReadonlyMap<string, Activity> | undefined {
  const { data, dataUpdatedAt } = useQuery(
    endpointQuery('getImpressionActivity', { params: { env_id }, query: { days: EXPOSURE_DAYS_DEFAULT } }),
  )
  return useMemo(
    () => data && activityByFlag(data, { days: EXPOSURE_DAYS_DEFAULT, now: dataUpdatedAt }),
    [data, dataUpdatedAt],
  )
}
