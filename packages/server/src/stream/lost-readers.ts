import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock } from '../platform/clock.ts'
import type { Connection } from './connection.ts'
import { readUnansweredPeers } from './unanswered-peers.ts'

/** The interval at which connections are looked at. */
const LOOK_EVERY_MS = 5_000
/**
 * The time without an acknowledgement after which a reader is lost. With the keep-alive that makes its
 * silence visible, it is gone within 40 s; the kernel waits for 15 minutes.
 */
const LOST_AFTER_MS = 15_000
/** The number of readers that are dropped before other requests run: a lost network may have thousands. */
const CUTS_PER_TURN = 250

interface Deps {
  readonly clock: Pick<Clock, 'monotonicMs'>
  readonly connections: () => Iterable<Connection>
  readonly readPeers?: () => Promise<ReadonlySet<string>>
}

/**
 * Drops readers whose network silently loses all packets: behind a firewall that forgot them, on a machine
 * without power. Node cannot set a time limit for acknowledgements (TCP_USER_TIMEOUT, RFC 5482).
 */
export function watchLostReaders({ clock, connections, readPeers = readUnansweredPeers }: Deps): {
  close(): void
} {
  /** The moments since which readers are seen without acknowledgements. */
  let since = new Map<string, number>()

  async function look(): Promise<void> {
    const open = [...connections()].filter(({ peer }) => peer !== null)
    const unanswered = open.length === 0 ? [] : await readPeers()
    const nowMs = clock.monotonicMs()
    const before = since
    since = new Map([...unanswered].map((peer) => [peer, before.get(peer) ?? nowMs]))
    const lost = open.filter(({ peer }) => nowMs - (since.get(peer ?? '') ?? nowMs) >= LOST_AFTER_MS)
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
