import type { ImpactChange } from '@burgee/contract'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../shared/api/call.ts'

/** Requests from the server the users whom changes affect. A dialog and its panel share one response. */
export const useImpact = (env_id: string, changes: readonly ImpactChange[], isEnabled = true) =>
  useQuery({
    enabled: isEnabled,
    queryKey: ['findImpact', env_id, changes],
    queryFn: ({ signal }) =>
      call('findImpact', { params: { env_id }, body: { changes: [...changes] } }, { signal }),
    gcTime: 0,
    retry: false,
  })
