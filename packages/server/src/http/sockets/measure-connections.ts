import type { Metrics } from '../../platform/metrics/metrics.ts'
import type { ConnectionBudget } from './connection-budget.ts'
import type { ConnectionRefusal, ConnectionTable } from './connection-table.ts'

const REASONS: readonly ConnectionRefusal[] = ['limit', 'reserve', 'address', 'evicted']

/**
 * Measures the open connections, their limit and the refused ones. Returns the function that counts a
 * refusal.
 */
export function measureConnections(
  metrics: Metrics,
  table: Pick<ConnectionTable, 'counts'>,
  budget: ConnectionBudget,
): (labels: { readonly reason: ConnectionRefusal }, by: number) => void {
  metrics.collected(
    {
      name: 'http_connections',
      help: 'Open connections of the HTTP server; idle ones have no request open.',
      type: 'gauge',
      labels: ['state'],
    },
    () => {
      const { idle, open } = table.counts()
      return [
        { labels: { state: 'active' }, value: open - idle },
        { labels: { state: 'idle' }, value: idle },
      ]
    },
  )
  metrics.collected(
    {
      name: 'http_connections_max',
      help: 'Connections up to which every request is served.',
      type: 'gauge',
      labels: [],
    },
    () => [{ labels: {}, value: budget.ordinary }],
  )
  return metrics.counter({
    name: 'http_connections_refused_total',
    help: 'Connections and requests that were refused or closed because a limit of connections was reached.',
    labels: ['reason'],
    from: REASONS.map((reason) => ({ reason })),
  })
}
