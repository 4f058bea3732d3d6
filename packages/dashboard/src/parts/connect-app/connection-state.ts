import type { Connections } from '@burgee/contract'

/** `never`: no SDK ever connected; `now`: some are connected; `before`: some were, and none is. */
export type ConnectionState = 'unknown' | 'never' | 'now' | 'before'

export function connectionState(connections: Connections | undefined): ConnectionState {
  if (!connections) return 'unknown'
  if (connections.streams > 0) return 'now'
  return connections.last_connected_at === null ? 'never' : 'before'
}
