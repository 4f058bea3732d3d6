import type { StaleFlag } from '@burgee/contract'
import { type UseQueryResult, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { send } from '../../shared/api/call.ts'
import { readToEnd } from '../../shared/api/join-pages.ts'
import { endpointKey, refresh } from '../../shared/api/queries.ts'

interface StaleReport {
  readonly flags: readonly StaleFlag[]
  /** When the server computed it, which is up to an hour ago. */
  readonly computedAt: string | undefined
}

/** The report of the stale flags of a project, and when it was computed. */
export function useStaleReport(project_id: string): UseQueryResult<StaleReport, Error> {
  const params = { project_id }
  return useQuery({
    queryKey: endpointKey('listStaleFlags', { params }),
    queryFn: async ({ signal }) => {
      const first = await send('listStaleFlags', { params }, { signal })
      const flags = await readToEnd<readonly StaleFlag[]>(first, (cursor) =>
        send('listStaleFlags', { params, query: { cursor } }, { signal }),
      )
      return { flags, computedAt: first.computedAt }
    },
  })
}

/** Computes the report again. */
export function useComputeAgain(project_id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async () => {
      await send('listStaleFlags', { params: { project_id }, query: { max_age: 0, limit: 1 } })
      await refresh(client, 'listStaleFlags')
    },
  })
}
