import type pg from 'pg'
import type { Metrics } from '../metrics/metrics.ts'

/** Measures how much of the pool of database connections is used, and how many requests wait for one. */
export function measurePool(
  metrics: Metrics,
  pool: Pick<pg.Pool, 'totalCount' | 'idleCount' | 'waitingCount'>,
  max_connections: number,
): void {
  metrics.collected(
    {
      name: 'database_connections',
      help: 'Connections of the pool, by state.',
      type: 'gauge',
      labels: ['state'],
    },
    () => [
      { labels: { state: 'idle' }, value: pool.idleCount },
      { labels: { state: 'in_use' }, value: pool.totalCount - pool.idleCount },
    ],
  )
  metrics.collected(
    {
      name: 'database_connections_max',
      help: 'Limit of connections of the pool: DB_MAX_CONNECTIONS.',
      type: 'gauge',
      labels: [],
    },
    () => [{ labels: {}, value: max_connections }],
  )
  metrics.collected(
    {
      name: 'database_connections_awaited',
      help: 'Queries and transactions that wait for a connection.',
      type: 'gauge',
      labels: [],
    },
    () => [{ labels: {}, value: pool.waitingCount }],
  )
}
