import type { FastifyReply } from 'fastify'
import type { Lease } from '../kernel/lease.ts'

/** The speed below which a reader of a large response is too slow. */
const SLOWEST_BYTES_PER_SECOND = 32 * 1024
const LEAST_SECONDS = 30
const MS_PER_SECOND = 1000

/**
 * Holds the memory of a response until it was sent or its connection has ended, and ends the connection of a
 * reader that takes too long.
 */
export function holdLease(reply: FastifyReply, lease: Lease, bytes: number): void {
  const { raw } = reply
  if (raw.destroyed || raw.writableFinished) {
    lease.release()
    return
  }
  const end = () => void raw.destroy()
  const longestMs = (LEAST_SECONDS + bytes / SLOWEST_BYTES_PER_SECOND) * MS_PER_SECOND
  const timer = setTimeout(end, longestMs).unref()
  lease.onEvict(end)
  raw.once('close', () => {
    clearTimeout(timer)
    lease.release()
  })
}
