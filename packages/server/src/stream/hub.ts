import { setImmediate as nextTurn } from 'node:timers/promises'
import { KEEP_ALIVE_MS } from '@burgee/contract'
import type { StoredChange } from '../changes/index.ts'
import { type Cast, createCast } from './cast.ts'
import type { Connection } from './connection.ts'
import { KEEP_ALIVE_FRAME, toChunk } from './sse-frame.ts'

/** Sockets written before other requests get their turn. */
const WRITES_PER_TURN = 500
/** Keep-alives are spread: each second one slot of the connections gets its own. */
const SLOT_MS = 1000
const SLOTS = KEEP_ALIVE_MS / SLOT_MS

/**
 * The open streams of this instance, by environment. Joining is synchronous with taking a change in, so a stream that
 * was bootstrapped at revision R receives exactly what is above R.
 */
export interface Hub {
  /** Registers a bootstrapped connection; `connection.revisions` says where it stands. */
  join(connection: Connection): void
  /** Adds an environment to an open connection, or takes one from it. */
  enter(connection: Connection, environment_id: string, revision: number): void
  leave(connection: Connection, environment_id: string): void
  cast(environment_id: string, changes: readonly StoredChange[]): void
  /**
   * `lost`: every stream of the environment ends, to bootstrap again. `gone`: key streams end, sessions go on without it.
   */
  dropEnvironment(environment_id: string, why: 'lost' | 'gone'): void
  connections(): Iterable<Connection>
  /** Open streams by environment. */
  counts(): Map<string, number>
  /** Resolves when everything cast so far has been written. */
  settled(): Promise<void>
  close(): void
}

interface Channel {
  readonly connections: Set<Connection>
  waiting: StoredChange[]
  casting: boolean
}

export function createHub({ onCast }: { onCast?: (changes: readonly StoredChange[]) => void } = {}): Hub {
  const channels = new Map<string, Channel>()
  const slots = Array.from({ length: SLOTS }, () => new Set<Connection>())
  const all = new Set<Connection>()
  const running = new Set<Promise<void>>()
  let next_slot = 0
  let joined = 0
  const timer = setInterval(tick, SLOT_MS)

  function tick(): void {
    next_slot = (next_slot + 1) % SLOTS
    for (const connection of slots[next_slot] ?? []) {
      connection.keepAlive(connection.chunked ? KEEP_ALIVE_CHUNK : KEEP_ALIVE_BYTES)
    }
  }

  function channelOf(environment_id: string): Channel {
    const known = channels.get(environment_id)
    const channel = known ?? { connections: new Set(), waiting: [], casting: false }
    if (!known) channels.set(environment_id, channel)
    return channel
  }

  async function castAll(environment_id: string, channel: Channel): Promise<void> {
    channel.casting = true
    while (channel.waiting.length > 0) {
      const changes = channel.waiting
      channel.waiting = []
      await castTo(channel.connections, environment_id, createCast(environment_id, changes))
      onCast?.(changes)
    }
    // Here and not in a later microtask: a change that comes in between would wait for ever.
    channel.casting = false
  }

  function enter(connection: Connection, environment_id: string, revision: number): void {
    connection.revisions.set(environment_id, revision)
    channelOf(environment_id).connections.add(connection)
  }

  function leave(connection: Connection, environment_id: string): void {
    connection.revisions.delete(environment_id)
    const channel = channels.get(environment_id)
    channel?.connections.delete(connection)
    if (channel && channel.connections.size === 0 && !channel.casting) channels.delete(environment_id)
  }

  function remove(connection: Connection, slot: Set<Connection>): void {
    for (const environment_id of [...connection.revisions.keys()]) leave(connection, environment_id)
    slot.delete(connection)
    all.delete(connection)
  }

  return {
    join(connection) {
      // The slot that was served last comes round in 15 s; successive joiners take successive slots.
      const slot = slots[(next_slot + joined++) % SLOTS] ?? new Set()
      slot.add(connection)
      all.add(connection)
      for (const [environment_id, revision] of connection.revisions)
        enter(connection, environment_id, revision)
      connection.onClose(() => remove(connection, slot))
    },
    enter,
    leave,
    cast(environment_id, changes) {
      const channel = channels.get(environment_id)
      if (!channel || changes.length === 0) return
      channel.waiting.push(...changes)
      if (channel.casting) return
      const casting = castAll(environment_id, channel).finally(() => running.delete(casting))
      running.add(casting)
    },
    dropEnvironment(environment_id, why) {
      for (const connection of [...(channels.get(environment_id)?.connections ?? [])]) {
        if (why === 'gone' && connection.audience === 'session') leave(connection, environment_id)
        else connection.end()
      }
    },
    connections: () => all,
    counts: () => new Map([...channels].map(([id, channel]) => [id, channel.connections.size])),
    async settled() {
      await Promise.all(running)
    },
    close() {
      clearInterval(timer)
      for (const connection of all) connection.end()
    },
  }
}

/** Writes the cast to each connection that lacks it, and lets other work in after every 500. */
async function castTo(connections: Set<Connection>, environment_id: string, cast: Cast): Promise<void> {
  let written = 0
  for (const connection of connections) {
    const revision = connection.revisions.get(environment_id)
    if (revision === undefined || revision >= cast.revision) continue
    connection.revisions.set(environment_id, cast.revision)
    connection.send(cast.bytesFor(connection, revision))
    if (++written % WRITES_PER_TURN === 0) await nextTurn()
  }
}

const KEEP_ALIVE_BYTES = Buffer.from(KEEP_ALIVE_FRAME)
const KEEP_ALIVE_CHUNK = toChunk(KEEP_ALIVE_BYTES)
