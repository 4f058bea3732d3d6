import type { Metrics } from '../../platform/metrics/metrics.ts'
import type { Connection } from './connection.ts'
import type { Hub } from './hub.ts'

/**
 * Measures the open streams of this instance by environment. A session's stream counts in each of its
 * environments.
 */
export function measureStreams(metrics: Metrics, hub: Pick<Hub, 'connections'>): void {
  metrics.collected(
    {
      name: 'connected_streams',
      help: 'Open streams of this instance, by environment and audience.',
      type: 'gauge',
      labels: ['environment_id', 'audience'],
    },
    () => countStreams(hub.connections()),
  )
}

/** Returns the kind of the key, or `session`. */
const audienceOf = ({ actor }: Pick<Connection, 'actor'>): string =>
  actor.kind === 'sdk_key' ? actor.key_kind : 'session'

function* countStreams(connections: Iterable<Pick<Connection, 'actor' | 'revisions'>>) {
  const counts = new Map<string, number>()
  for (const { actor, revisions } of connections) {
    const audience = audienceOf({ actor })
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
