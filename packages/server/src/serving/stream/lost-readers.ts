import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock } from '../../platform/clock.ts'
import type { Connection } from './connection.ts'
import { readTimeouts, readUnansweredPeers } from './unanswered-peers.ts'

/** The interval at which connections are looked at. */
const LOOK_EVERY_MS = 5_000
/**
 * The time without an acknowledgment after which a reader is lost. With the keep-alive that makes its
 * silence visible, it is gone within 40 s; the kernel waits for 15 minutes.
 */
const LOST_AFTER_MS = 15_000
/** The number of readers that are compared before other requests run. */
const COMPARED_PER_TURN = 1_000
/** The number of readers that are dropped before other requests run: a lost network may have thousands. */
const CUTS_PER_TURN = 250

interface Deps {
  readonly clock: Pick<Clock, 'monotonicMs'>
  readonly connections: () => Iterable<Connection>
  /** Returns a counter that grows when any connection was not acknowledged in time; null without one. */
  readonly countTimeouts?: () => Promise<string | null>
  readonly readPeers?: () => Promise<ReadonlySet<string> | null>
}

/**
 * Drops readers whose network silently loses all packets: behind a firewall that forgot them, on a machine
 * without power. Node cannot set a time limit for acknowledgments (TCP_USER_TIMEOUT, RFC 5482). The kernel's
 * tables have a row for each connection of the machine: they are read only after a new timeout of any, and
 * while a reader is suspected.
 */
export function watchLostReaders({
  clock,
  connections,
  countTimeouts = readTimeouts,
  readPeers = readUnansweredPeers,
}: Deps): {
  close(): void
} {
  /** The readers without acknowledgments, with the moments since which they are seen. */
  let since = new Map<Connection, number>()
  let timeouts: string | null = null

  async function look(): Promise<void> {
    const [first] = connections()
    if (!first) since.clear()
    if (!first) return
    const before = timeouts
    timeouts = await countTimeouts()
    if (since.size === 0 && timeouts !== null && timeouts === before) return
    const unanswered = await readPeers()
    if (unanswered === null) {
      // No file can be opened, perhaps: the suspects stay, and the next look reads again.
      timeouts = null
      return
    }
    const nowMs = clock.monotonicMs()
    const suspects = unanswered.size === 0 ? [] : await findPeers(connections(), unanswered)
    since = new Map(suspects.map((connection) => [connection, since.get(connection) ?? nowMs]))
    const lost = suspects.filter((connection) => nowMs - (since.get(connection) ?? nowMs) >= LOST_AFTER_MS)
    for (const [index, connection] of lost.entries()) {
      if (index % CUTS_PER_TURN === CUTS_PER_TURN - 1) await nextTurn()
      connection.cut()
    }
  }

  let isLooking = false
  const timer = setInterval(() => {
    if (isLooking) return
    isLooking = true
    void look().finally(() => {
      isLooking = false
    })
  }, LOOK_EVERY_MS).unref()
  return { close: () => clearInterval(timer) }
}

/** Returns the connections with these peers. Few have their remote ports, and only those are named. */
async function findPeers(
  connections: Iterable<Connection>,
  peers: ReadonlySet<string>,
): Promise<Connection[]> {
  const ports = new Set([...peers].map((peer) => Number(peer.split(' ')[1])))
  const found: Connection[] = []
  for (const [index, connection] of [...connections].entries()) {
    if (index % COMPARED_PER_TURN === COMPARED_PER_TURN - 1) await nextTurn()
    if (ports.has(connection.remotePort) && peers.has(connection.peer ?? '')) found.push(connection)
  }
  return found
}
