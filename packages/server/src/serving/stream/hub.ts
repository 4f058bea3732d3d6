import { setImmediate as nextTurn } from 'node:timers/promises'
import { KEEP_ALIVE_MS } from '@burgee/contract'
import type { CommittedAt } from '../../changes/index.ts'
import type { Clock } from '../../platform/clock.ts'
import { beforeAnalyses } from '../../platform/concurrency/turns.ts'
import type { Log } from '../../platform/log/log.ts'
import { type Broadcast, createBroadcast } from './broadcast.ts'
import type { SentChange } from './client-view.ts'
import type { Connection } from './connection.ts'
import { createKeepAlives } from './keep-alives.ts'
import { watchLostReaders } from './lost-readers.ts'
import { isSession } from './sse-frame.ts'

/** The number of sockets that are written before other requests run. */
const WRITES_PER_TURN = 500

/** The number of streams that end before other requests run. */
const ENDS_PER_TURN = 250

/**
 * The open streams of this instance by environment. Joining and applying a change are synchronous, so a
 * stream that was bootstrapped at revision R receives exactly the changes above R.
 */
export interface Hub {
  /** Registers a bootstrapped connection; `connection.revisions` has its position. */
  join(connection: Connection): void
  /** Adds an environment to an open connection, or removes one. */
  enter(connection: Connection, environment_id: string, revision: number): void
  leave(connection: Connection, environment_id: string): void
  broadcast(environment_id: string, changes: readonly SentChange[], committed: CommittedAt): void
  /**
   * Drops an environment. `lost`: every stream of it ends, to bootstrap again. `gone`: key streams end,
   * sessions continue without it.
   */
  dropEnvironment(environment_id: string, why: 'lost' | 'gone'): void
  /** Ends streams. None of them receives a further change; many end one after another. */
  end(connections: readonly Connection[]): void
  connections(): Iterable<Connection>
  /** Returns whether any stream receives the environment. */
  isWatched(environment_id: string): boolean
  /** Ends every stream, and those that join later. */
  close(): void
}

/** Receives each stream of an SDK key that opens or closes. Dashboards do not count as connected SDKs. */
export interface KeyStreamListener {
  opened(stream: KeyStream): void
  closed(stream: KeyStream): void
}

interface KeyStream {
  readonly environment_id: string
  /** Null for the legacy key. */
  readonly key_id: number | null
}

interface Channel {
  readonly connections: Set<Connection>
  waiting: SentChange[]
  /** The commit times of pending changes. */
  committed: CommittedAt[]
  isBroadcasting: boolean
}

interface HubDeps {
  readonly clock: Pick<Clock, 'monotonicMs'>
  readonly log: Log
  readonly keyStreams: KeyStreamListener
  /** Called when changes were written to the last of their sockets. */
  readonly onBroadcast: (committed: readonly CommittedAt[]) => void
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a factory, whose functions share one state
export function createHub({ clock, keyStreams, log, onBroadcast }: HubDeps): Hub {
  const channels = new Map<string, Channel>()
  const all = new Set<Connection>()
  const keepAlives = createKeepAlives(KEEP_ALIVE_MS)
  const lostReaders = watchLostReaders({ clock, connections: () => all })
  let isClosed = false

  function channelOf(environment_id: string): Channel {
    const known = channels.get(environment_id)
    const channel = known ?? { connections: new Set(), waiting: [], committed: [], isBroadcasting: false }
    if (!known) channels.set(environment_id, channel)
    return channel
  }

  async function sendWaiting(environment_id: string, channel: Channel): Promise<void> {
    channel.isBroadcasting = true
    try {
      while (channel.waiting.length > 0) {
        const { committed, waiting: changes } = channel
        channel.waiting = []
        channel.committed = []
        const broadcast = createBroadcast(environment_id, changes)
        const lacked = await beforeAnalyses(() => sendTo(channel.connections, environment_id, broadcast))
        if (lacked > 0) onBroadcast(committed)
      }
    } catch (err) {
      log.error({ err, environment_id }, 'a change could not be sent; its streams must bootstrap again')
      channel.waiting = []
      channel.committed = []
      for (const connection of [...channel.connections]) connection.end()
    }
    // Here and not in a later microtask: a change that arrives in between would wait for ever.
    channel.isBroadcasting = false
    if (channel.connections.size === 0) channels.delete(environment_id)
  }

  function enter(connection: Connection, environment_id: string, revision: number): void {
    connection.revisions.set(environment_id, revision)
    channelOf(environment_id).connections.add(connection)
  }

  function leave(connection: Connection, environment_id: string): void {
    connection.revisions.delete(environment_id)
    const channel = channels.get(environment_id)
    channel?.connections.delete(connection)
    if (channel && channel.connections.size === 0 && !channel.isBroadcasting) channels.delete(environment_id)
  }

  function end(connections: readonly Connection[]): void {
    for (const connection of connections)
      for (const environment_id of [...connection.revisions.keys()]) leave(connection, environment_id)
    void endInTurns(connections)
  }

  return {
    join(connection) {
      if (isClosed) {
        connection.end()
        return
      }
      const stopKeepAlive = keepAlives.add(connection)
      all.add(connection)
      for (const [environment_id, revision] of connection.revisions)
        enter(connection, environment_id, revision)
      // A key's stream has one environment during its whole life.
      const { actor } = connection
      const counted =
        actor.kind === 'user'
          ? []
          : [...connection.revisions.keys()].map((environment_id) => ({
              environment_id,
              key_id: actor.key_id,
            }))
      for (const stream of counted) keyStreams.opened(stream)
      connection.onClose(() => {
        for (const stream of counted) keyStreams.closed(stream)
        for (const environment_id of [...connection.revisions.keys()]) leave(connection, environment_id)
        stopKeepAlive()
        all.delete(connection)
      })
    },
    enter,
    leave,
    broadcast(environment_id, changes, committed) {
      const channel = channels.get(environment_id)
      if (!channel || changes.length === 0) return
      for (const change of changes) channel.waiting.push(change)
      channel.committed.push(committed)
      if (!channel.isBroadcasting) void sendWaiting(environment_id, channel)
    },
    dropEnvironment(environment_id, why) {
      const receivers = [...(channels.get(environment_id)?.connections ?? [])]
      for (const connection of receivers) leave(connection, environment_id)
      end(receivers.filter(({ audience }) => why === 'lost' || !isSession(audience)))
    },
    end,
    connections: () => all,
    isWatched: (environment_id) => channels.has(environment_id),
    close() {
      isClosed = true
      keepAlives.close()
      lostReaders.close()
      for (const connection of all) connection.end()
    },
  }
}

/** Ends connections, and yields after every 250. */
async function endInTurns(connections: readonly Connection[]): Promise<void> {
  for (const [index, connection] of connections.entries()) {
    if (index % ENDS_PER_TURN === ENDS_PER_TURN - 1) await nextTurn()
    connection.end()
  }
}

/**
 * Writes the broadcast to each connection that lacks it, and yields after every 500. Returns how many lacked
 * it.
 */
async function sendTo(
  connections: Set<Connection>,
  environment_id: string,
  broadcast: Broadcast,
): Promise<number> {
  let written = 0
  for (const connection of connections) {
    const revision = connection.revisions.get(environment_id)
    if (revision === undefined || revision >= broadcast.revision) continue
    connection.revisions.set(environment_id, broadcast.revision)
    connection.send(broadcast.bytesFor(connection, revision))
    if (++written % WRITES_PER_TURN === 0) await nextTurn()
  }
  return written
}
