import type { SdkKeyActor } from '../../kernel/actor.ts'
import { unauthenticated } from '../../kernel/refusal.ts'
import type { SdkClients } from '../../reporting/propagation/index.ts'
import { CLIENT_HEADER } from '../../reporting/propagation/index.ts'
import { Connection } from './connection.ts'
import type { Hub } from './hub.ts'
import type { Snapshots } from './snapshots.ts'
import { audienceOf } from './sse-frame.ts'
import { codingOf, type RawExchange, takeSocket } from './take-socket.ts'

/**
 * Opens the stream of an SDK key: the bootstrap of its environment, then its changes. Null when the caller
 * has left.
 */
export async function openKeyStream(
  { clients, hub, snapshots }: { clients: SdkClients; hub: Hub; snapshots: Snapshots },
  actor: SdkKeyActor,
  raw: RawExchange,
): Promise<Connection | null> {
  const audience = audienceOf(actor.key_kind)
  return snapshots.whenCurrent([actor.environment_id], ([snapshot]) => {
    if (!snapshot) throw unauthenticated('The environment of this SDK key was deleted.')
    const coding = codingOf(raw)
    const bootstrap = snapshot.bootstrap(audience, coding)
    const opened = clients.open(actor, raw.request.headers[CLIENT_HEADER], snapshot.revision)
    const socket = takeSocket(raw, opened?.ack)
    if (!socket) {
      opened?.close()
      return null
    }
    const connection = new Connection({ socket, coding, actor, audience })
    connection.revisions.set(snapshot.environment_id, snapshot.revision)
    if (opened) connection.onClose(opened.close)
    connection.sendBootstrap(bootstrap)
    hub.join(connection)
    return connection
  })
}
