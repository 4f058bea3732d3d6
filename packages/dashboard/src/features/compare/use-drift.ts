import type { Environment, Flag } from '@burgee/contract'
import { useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import { endpointQuery } from '../../shared/api/queries.ts'
import { type DriftRow, driftRows } from './drift.ts'

interface DriftState {
  /** Undefined until every environment is there. */
  readonly rows: readonly DriftRow[] | undefined
  /** Another one whenever a list was read again. */
  readonly version: string
  readonly error: unknown
  readonly retry: () => void
}

/** The flags of all these environments beside each other. */
export function useDrift(environments: readonly Environment[], sourceId: string): DriftState {
  const responses = useQueries({
    queries: environments.map(({ id }) => endpointQuery('listFlags', { params: { env_id: id } })),
    combine: (results) => ({
      lists: results.map(({ data }) => data),
      version: results.map(({ dataUpdatedAt }) => dataUpdatedAt).join(),
      error: results.find(({ error }) => error)?.error ?? null,
      retry: () => {
        for (const { isError, refetch } of results) if (isError) void refetch()
      },
    }),
  })
  const { lists } = responses
  const rows = useMemo(() => {
    if (environments.length === 0 || lists.some((list) => list === undefined)) return undefined
    const byEnvironment = new Map<string, readonly Flag[]>(
      environments.map(({ id }, index) => [id, lists[index] ?? []]),
    )
    return driftRows(byEnvironment, sourceId)
  }, [environments, lists, sourceId])
  return { rows, version: responses.version, error: responses.error, retry: responses.retry }
}
