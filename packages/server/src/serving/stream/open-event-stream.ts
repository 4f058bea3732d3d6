import type { SdkKeyActor } from '../../kernel/actor.ts'
import { unauthenticated } from '../../kernel/refusal.ts'
import type { ChangeNotices } from './change-notices.ts'
import { Connection } from './connection.ts'
import type { Hub } from './hub.ts'
import type { RightsWatch } from './live-flags.ts'
import type { Snapshots } from './snapshots.ts'
import { encodeForAll } from './stream-coding.ts'
import type { StreamLimits } from './stream-limits.ts'
import { codingOf, type RawExchange, takeSocket } from './take-socket.ts'

interface EventStreamDeps {
  readonly hub: Hub
  readonly snapshots: Snapshots
  readonly notices: ChangeNotices
  readonly rights: RightsWatch
  readonly limits: StreamLimits
}

/**
 * Opens an event stream of OFREP for the environment of a key.
 *
 * @param lastEventId The revision that a client knows which reconnects.
 */
export type OpenEventStream = (
  actor: SdkKeyActor,
  lastEventId: string | undefined,
  raw: RawExchange,
) => Promise<void>

const RECONNECT_HINT = encodeForAll('retry: 1000\n\n')

export function createOpenEventStream(deps: EventStreamDeps): OpenEventStream {
  return async (actor, lastEventId, raw) => {
    const generation = deps.rights.generation()
    const leave = deps.limits.enter(actor)
    try {
      await raw.waitForTurn()
      const connection = await connect(deps, actor, lastEventId, raw)
      if (connection?.open) connection.onClose(leave)
      else leave()
    } catch (error) {
      leave()
      throw error
    }
    // Rights changed while flags were loading, and the review may have run before this stream was registered.
    if (deps.rights.generation() !== generation) deps.rights.reviewSoon()
  }
}

function connect(
  { hub, notices, snapshots }: EventStreamDeps,
  actor: SdkKeyActor,
  lastEventId: string | undefined,
  raw: RawExchange,
): Promise<Connection | null> {
  return snapshots.whenCurrent([actor.environment_id], ([snapshot]) => {
    if (!snapshot) throw unauthenticated('The environment of this SDK key was deleted.')
    const { environment_id, revision } = snapshot
    const coding = codingOf(raw)
    const socket = takeSocket(raw)
    if (!socket) return null
    const connection = new Connection({ socket, coding, actor, audience: 'events' })
    connection.revisions.set(environment_id, revision)
    connection.sendBootstrap(RECONNECT_HINT[coding])
    // A restored backup may have a lower revision than the client knows.
    const isBehind = lastEventId !== undefined && lastEventId !== String(revision)
    notices.add(environment_id, connection, { revision, isBehind })
    hub.join(connection)
    return connection
  })
}
