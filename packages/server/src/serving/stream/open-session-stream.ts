import type { UserActor } from '../../kernel/actor.ts'
import { forbidden, notFound } from '../../kernel/refusal.ts'
import type { Bootstrap } from './bootstrap.ts'
import { Connection } from './connection.ts'
import type { EnvironmentSnapshot } from './environment-snapshot.ts'
import type { Hub } from './hub.ts'
import type { Snapshots } from './snapshots.ts'
import { connectedFrame, readyFrame, type SessionAudience } from './sse-frame.ts'
import { type Coding, encodeForAll, encodeFrames } from './stream-coding.ts'
import { codingOf, type RawExchange, takeSocket } from './take-socket.ts'

/** The environments that users may read. Each look-up is a query. */
export interface ReadableEnvironments {
  /** Returns the ids of the environments by user. */
  byUser(userIds: readonly number[]): Promise<ReadonlyMap<number, ReadonlySet<string>>>
  exists(environment_id: string): Promise<boolean>
}

interface SessionStreamDeps {
  readonly hub: Hub
  readonly snapshots: Snapshots
  readonly readable: ReadableEnvironments
}

/**
 * Opens the stream of a session or personal access token: the bootstrap of every environment that its user
 * may read, or of the requested one, then their changes. Null when the caller has left.
 */
export async function openSessionStream(
  deps: SessionStreamDeps,
  actor: UserActor,
  { audience, narrowedTo }: { readonly audience: SessionAudience; readonly narrowedTo: string | null },
  raw: RawExchange,
): Promise<Connection | null> {
  const environmentIds = await chooseEnvironments(deps.readable, actor, narrowedTo)
  return deps.snapshots.whenCurrent(environmentIds, (loaded) => {
    const coding = codingOf(raw)
    const bootstrap = sessionBootstrap(loaded, audience, coding)
    const socket = takeSocket(raw)
    if (!socket) return null
    const connection = new Connection({ socket, coding, actor, audience, narrowedTo })
    for (const snapshot of loaded) connection.revisions.set(snapshot.environment_id, snapshot.revision)
    for (const part of bootstrap) connection.sendBootstrap(part)
    deps.hub.join(connection)
    return connection
  })
}

async function chooseEnvironments(
  readable: ReadableEnvironments,
  actor: UserActor,
  narrowedTo: string | null,
): Promise<string[]> {
  const ids = (await readable.byUser([actor.user_id])).get(actor.user_id) ?? new Set()
  if (narrowedTo === null) return [...ids]
  if (ids.has(narrowedTo)) return [narrowedTo]
  throw (await readable.exists(narrowedTo))
    ? forbidden('You are not a member of that project.')
    : notFound('environment')
}

/** Returns the parts of the bootstrap: all sessions share those of an environment. */
function sessionBootstrap(
  loaded: readonly EnvironmentSnapshot[],
  audience: SessionAudience,
  coding: Coding,
): (Buffer | Bootstrap)[] {
  const flagCount = loaded.reduce((sum, snapshot) => sum + snapshot.flagCount, 0)
  return [
    CONNECTED[coding],
    ...loaded.map((snapshot) => snapshot.sessionUpserts(audience, coding)),
    encodeFrames(coding, Buffer.from(readyFrame(flagCount))),
  ]
}
const CONNECTED = encodeForAll(connectedFrame(null))
