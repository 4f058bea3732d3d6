import type { Metrics } from '../platform/metrics.ts'
import type { Connection } from './connection.ts'
import type { Hub } from './hub.ts'

/** The open streams of this instance, by environment. A session's stream counts in each environment that it receives. */
export function measureStreams(metrics: Metrics, hub: Pick<Hub, 'connections'>): void {
  metrics.collected(
    {
      name: 'connected_streams',
      help: 'Open streams of this instance, by environment and who reads.',
      type: 'gauge',
      labels: ['environment_id', 'audience'],
    },
    () => countStreams(hub.connections()),
  )
}

function* countStreams(connections: Iterable<Pick<Connection, 'audience' | 'revisions'>>) {
  const counts = new Map<string, number>()
  for (const { audience, revisions } of connections) {
    for (const environment_id of revisions.keys()) {
      const name = `${environment_id} ${audience}`
      counts.set(name, (counts.get(name) ?? 0) + 1)
    }
  }
  for (const [name, value] of counts) {
    const [environment_id = '', audience = ''] = name.split(' ')
    yield { labels: { environment_id, audience }, value }
  }
}
