import type { UserActor } from '../../kernel/actor.ts'
import type { Connection } from './connection.ts'
import type { Hub } from './hub.ts'
import type { ReadableEnvironments } from './open-session-stream.ts'
import type { Snapshots } from './snapshots.ts'
import { isSession } from './sse-frame.ts'

/** Returns which of the given credentials are still valid. */
export interface CredentialReview {
  validSdkKeys(ids: readonly number[]): Promise<ReadonlySet<number>>
  validSessions(ids: readonly string[]): Promise<ReadonlySet<string>>
  validAccessTokens(ids: readonly number[]): Promise<ReadonlySet<number>>
  /** Returns the environment of the legacy SDK_KEY. */
  legacyKeyEnvironment(): Promise<string | null>
}

interface ReviewDeps {
  readonly hub: Hub
  readonly snapshots: Snapshots
  readonly readable: ReadableEnvironments
  readonly review: CredentialReview
}

/**
 * Authorizes every open stream again after a change of rights (docs/reference/access.md): a stream ends when
 * its credential is not valid any more; a session's stream loses environments that its user may not read any
 * more, and gains new ones.
 */
export async function reviewConnections({ hub, readable, review, snapshots }: ReviewDeps): Promise<void> {
  const connections = [...hub.connections()]
  const users = connections.map(({ actor }) => actor).filter((actor) => actor.kind === 'user')
  const [isValid, environments] = await Promise.all([
    reviewCredentials(review, connections),
    readable.byUser([...new Set(users.map(({ user_id }) => user_id))]),
  ])
  const allowedTo = ({ actor }: Connection) =>
    (actor.kind === 'user' && environments.get(actor.user_id)) || NO_ENVIRONMENTS
  // First everything is removed that must be; then follows what takes longer.
  const valid = new Set(connections.filter(isValid))
  hub.end(connections.filter((connection) => !valid.has(connection)))
  for (const connection of valid)
    if (connection.actor.kind === 'user') takeAway(hub, connection, allowedTo(connection))
  for (const connection of valid) {
    if (connection.actor.kind !== 'user' || connection.narrowedTo !== null || !connection.open) continue
    await enterNew(hub, snapshots, connection, allowedTo(connection))
  }
}

const NO_ENVIRONMENTS: ReadonlySet<string> = new Set()

/** Removes environments. A stream that was narrowed to one ends with it. */
function takeAway(hub: Hub, connection: Connection, allowed: ReadonlySet<string>): void {
  for (const id of [...connection.revisions.keys()]) if (!allowed.has(id)) hub.leave(connection, id)
  if (connection.narrowedTo !== null && !allowed.has(connection.narrowedTo)) connection.end()
}

async function reviewCredentials(
  review: CredentialReview,
  connections: readonly Connection[],
): Promise<(connection: Connection) => boolean> {
  const keys = new Set<number>()
  const sessions = new Set<string>()
  const tokens = new Set<number>()
  for (const { actor } of connections) {
    if (actor.kind === 'sdk_key') keys.add(actor.key_id ?? LEGACY_KEY)
    else if (actor.credential.kind === 'session') sessions.add(actor.credential.sessionId)
    else tokens.add(actor.credential.token_id)
  }
  const hasLegacy = keys.delete(LEGACY_KEY)
  const [validKeys, validSessions, validTokens, legacyEnvironment] = await Promise.all([
    review.validSdkKeys([...keys]),
    review.validSessions([...sessions]),
    review.validAccessTokens([...tokens]),
    hasLegacy ? review.legacyKeyEnvironment() : null,
  ])
  return ({ actor }) => {
    if (actor.kind === 'sdk_key') {
      return actor.key_id === null ? actor.environment_id === legacyEnvironment : validKeys.has(actor.key_id)
    }
    return isValidUser(actor, validSessions, validTokens)
  }
}

/**
 * The legacy SDK_KEY has no record: its stream lives as long as the key stands for the stream's environment.
 */
const LEGACY_KEY = 0

function isValidUser(
  { credential }: UserActor,
  sessions: ReadonlySet<string>,
  tokens: ReadonlySet<number>,
): boolean {
  return credential.kind === 'session' ? sessions.has(credential.sessionId) : tokens.has(credential.token_id)
}

async function enterNew(
  hub: Hub,
  snapshots: Snapshots,
  connection: Connection,
  allowed: ReadonlySet<string>,
): Promise<void> {
  for (const environment_id of allowed) {
    if (connection.revisions.has(environment_id)) continue
    await snapshots.whenCurrent([environment_id], ([snapshot]) => {
      const { audience, coding, open } = connection
      if (!snapshot || !open || !isSession(audience)) return
      connection.sendBootstrap(snapshot.sessionUpserts(audience, coding))
      hub.enter(connection, environment_id, snapshot.revision)
    })
  }
}
