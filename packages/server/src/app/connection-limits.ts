import { boundOutbound, connectionBudget } from '../http/sockets/connection-budget.ts'
import { createIsProxy } from '../http/sockets/is-proxy.ts'
import { DELIVERIES_MAX } from '../notification/deliveries/index.ts'
import { readOpenFilesLimit } from '../platform/metrics/open-files-limit.ts'
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
