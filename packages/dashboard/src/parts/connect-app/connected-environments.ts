import type { Connections, Environment } from '@burgee/contract'
import { type QueryClient, useQueries } from '@tanstack/react-query'
import { endpointQuery } from '../../shared/api/queries.ts'

/** Environments whose connections are read: one request each. */
const ENVIRONMENTS_READ = 12
/** The interval at which a page that only mentions connections reads them. */
const POLL_MS = 15_000

/** An environment and how many programs are connected to it. */
export interface ConnectedEnvironment {
  readonly environment: Environment
  readonly streams: number
}

/** The environments that programs are connected to, most programs first; of equal ones the order stays. */
export function listConnected(
  environments: readonly Environment[],
  connections: readonly (Connections | undefined)[],
): ConnectedEnvironment[] {
  return environments
    .map((environment, at) => ({ environment, streams: connections[at]?.streams ?? 0 }))
    .filter(({ streams }) => streams > 0)
    .sort((a, b) => b.streams - a.streams)
}

/**
 * The environment with most connected programs; undefined where none are connected, or that cannot be read.
 */
export async function findConnectedEnvironment(
  client: QueryClient,
  environments: readonly Environment[],
): Promise<Environment | undefined> {
  const read = environments.slice(0, ENVIRONMENTS_READ)
  const connections = await Promise.all(
    read.map(({ id }) =>
      client.fetchQuery(endpointQuery('getConnections', { params: { env_id: id } })).catch(() => undefined),
    ),
  )
  return listConnected(read, connections)[0]?.environment
}

/** The connections of environments, read now and then; undefined for those that are not known yet. */
export function useConnectionsOf(environments: readonly Environment[]): readonly (Connections | undefined)[] {
  const lists = useQueries({
    queries: environments.slice(0, ENVIRONMENTS_READ).map(({ id }) => ({
      ...endpointQuery('getConnections', { params: { env_id: id } }),
      refetchInterval: POLL_MS,
    })),
  })
  return lists.map(({ data }) => data)
}
