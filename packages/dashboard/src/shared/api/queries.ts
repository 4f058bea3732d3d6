import type { EndpointInput, EndpointName } from '@burgee/contract'
import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { call } from './call.ts'

/** Query options of a reading endpoint: `useQuery(endpointQuery('listFlags', {params: {env_id}}))`. */
export function endpointQuery<N extends EndpointName>(name: N, input: EndpointInput<N>) {
  return queryOptions({
    queryKey: endpointKey(name, input),
    queryFn: ({ signal }) => call(name, input, { signal }),
  })
}

/** The same for lists whose filters change: the last response stays until the next is there. */
export const filteredQuery = <N extends EndpointName>(name: N, input: EndpointInput<N>) => ({
  ...endpointQuery(name, input),
  placeholderData: keepPreviousData,
})

/**
 * The key of a cached response; without `input` the part that all responses of the endpoint have in common.
 */
export function endpointKey<N extends EndpointName>(name: N, input?: Partial<EndpointInput<N>>) {
  if (input === undefined) return [name] as const
  const { params, query } = input as { params?: unknown; query?: unknown }
  return [name, params ?? {}, query ?? {}] as const
}

/** Has every cached response of these endpoints read again. Resolves when those in use are there. */
export async function refresh(client: QueryClient, ...names: readonly EndpointName[]): Promise<void> {
  await Promise.all(names.map((name) => client.invalidateQueries({ queryKey: endpointKey(name) })))
}
