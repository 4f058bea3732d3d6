import type { UserActor } from '../kernel/actor.ts'
import { forbidden, notFound } from '../kernel/refusal.ts'
import { Connection } from './connection.ts'
import type { EnvironmentSnapshot } from './environment-snapshot.ts'
import type { Hub } from './hub.ts'
import type { Snapshots } from './snapshots.ts'
import { connectedFrame, readyFrame, toChunk } from './sse-frame.ts'
import { type RawExchange, takeSocket, takesChunks } from './take-socket.ts'

/** What users may read. Each look-up goes to the database. */
export interface ReadableEnvironments {
  /** Ids of the environments, by user. */
  byUser(user_ids: readonly number[]): Promise<ReadonlyMap<number, ReadonlySet<string>>>
  exists(environment_id: string): Promise<boolean>
}

interface SessionStreamDeps {
  readonly hub: Hub
  readonly snapshots: Snapshots
  readonly readable: ReadableEnvironments
}

/**
 * Opens the stream of a session or personal access token: the bootstrap of every environment that its user may read,
 * or of the one asked for, then what changes in them. null when the caller has left.
 */
export async function openSessionStream(
  deps: SessionStreamDeps,
  actor: UserActor,
  narrowed_to: string | null,
  raw: RawExchange,
): Promise<Connection | null> {
  const environment_ids = await chooseEnvironments(deps.readable, actor, narrowed_to)
  return deps.snapshots.whenCurrent(environment_ids, (loaded) => {
    const chunked = takesChunks(raw)
    const bootstrap = sessionBootstrap(loaded, chunked)
    const socket = takeSocket(raw)
    if (!socket) return null
    const connection = new Connection({ socket, chunked, actor, audience: 'session', narrowed_to })
    for (const snapshot of loaded) connection.revisions.set(snapshot.environment_id, snapshot.revision)
    for (const bytes of bootstrap) connection.sendBootstrap(bytes)
    deps.hub.join(connection)
    return connection
  })
}

async function chooseEnvironments(
  readable: ReadableEnvironments,
  actor: UserActor,
  narrowed_to: string | null,
): Promise<string[]> {
  const ids = (await readable.byUser([actor.user_id])).get(actor.user_id) ?? new Set()
  if (narrowed_to === null) return [...ids]
  if (ids.has(narrowed_to)) return [narrowed_to]
  throw (await readable.exists(narrowed_to))
    ? forbidden('You are no member of that project.')
    : notFound('environment')
}

/** In pieces: each environment's are shared by all sessions that receive it. */
function sessionBootstrap(loaded: readonly EnvironmentSnapshot[], chunked: boolean): Buffer[] {
  const flag_count = loaded.reduce((sum, snapshot) => sum + snapshot.flag_count, 0)
  const small = (frame: string) => (chunked ? toChunk(Buffer.from(frame)) : Buffer.from(frame))
  return [
    small(connectedFrame(null)),
    ...loaded.map((snapshot) => snapshot.sessionUpserts(chunked)),
    small(readyFrame(flag_count)),
  ].filter((bytes) => bytes.length > 0)
}
