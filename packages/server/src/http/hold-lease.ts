import type { FastifyReply } from 'fastify'
import type { Lease } from '../kernel/lease.ts'

/** Slower than this for long is no reader of a large answer. */
const SLOWEST_BYTES_PER_SECOND = 32 * 1024
const LEAST_SECONDS = 30
const MS_PER_SECOND = 1000

/**
 * Keeps the memory of an answer reserved until it was sent or its connection is gone, and ends the connection of a reader that takes
 * too long over it.
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
