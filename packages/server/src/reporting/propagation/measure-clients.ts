import type { Metrics } from '../../platform/metrics/metrics.ts'
import type { ClientStore } from './store-clients.ts'

const BUCKETS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30]
const MS_PER_SECOND = 1000

/** Registers the number of clients of this server. */
export function measureClients(metrics: Metrics, store: Pick<ClientStore, 'counted'>): void {
  metrics.collected(
    {
      name: 'clients',
      help: 'SDKs that confirm what they have applied and are connected to this instance.',
      type: 'gauge',
      labels: ['environment_id', 'app', 'state'],
    },
    () =>
      store.counted().map(({ app, clients: value, environment_id, state }) => ({
        labels: { environment_id, app, state },
        value,
      })),
  )
}

/** Returns the function that records how long a change took to be applied. */
export function measureClientLatency(metrics: Metrics): (ms: number) => void {
  const record = metrics.histogram({
    name: 'client_propagation_seconds',
    help: 'Time from the commit of a change until a client had applied it, by the confirmations of clients.',
    labels: [],
    buckets: BUCKETS_S,
  })
  return (ms) => record({}, ms / MS_PER_SECOND)
}
