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
    if (open.length === 0) return
    const unanswered = await readPeers()
    const nowMs = clock.monotonicMs()
    const before = since
    since = new Map([...unanswered].map((peer) => [peer, before.get(peer) ?? nowMs]))
    for (const connection of open) {
      const sinceMs = connection.peer === null ? undefined : since.get(connection.peer)
      if (sinceMs !== undefined && nowMs - sinceMs >= LOST_AFTER_MS) connection.cut()
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
