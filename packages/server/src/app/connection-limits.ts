import { DELIVERIES_MAX } from '../features/deliveries/index.ts'
import { boundOutbound, connectionBudget } from '../http/connections/connection-budget.ts'
import { createIsProxy } from '../http/connections/is-proxy.ts'
import { readOpenFilesLimit } from '../platform/open-files-limit.ts'
import type { Config } from '../platform/settings/config.ts'

/** Returns the numbers of connections in both directions, from the settings and the limit of open files. */
export function connectionLimits({ connectionLimits, dbMaxConnections, trustProxy }: Config) {
  const { max_connections, maxPerAddress } = connectionLimits
  const openFiles = readOpenFilesLimit()
  const outbound = boundOutbound(openFiles, DELIVERIES_MAX)
  const budget = connectionBudget({
    openFiles,
    configured: max_connections,
    databaseConnections: dbMaxConnections,
    outboundConnections: outbound,
  })
  return { budget, outbound, maxPerAddress, isProxy: createIsProxy(trustProxy) }
}
