import type { FastifyReply } from 'fastify'
import type { Lease } from '../../kernel/lease.ts'

/** The speed below which a reader of a large response is too slow. */
const SLOWEST_BYTES_PER_SECOND = 32 * 1024
const LEAST_SECONDS = 30
const MS_PER_SECOND = 1000

/**
 * Holds the memory of a response until it was sent or its connection has ended, and ends the connection of a
 * reader that takes too long. `bytes` is null for a stream, whose length is unknown.
 */
export function holdLease(reply: FastifyReply, lease: Lease, bytes: number | null): void {
  const { raw } = reply
  if (raw.destroyed || raw.writableFinished) {
    lease.release()
    return
  }
  const end = () => void raw.destroy()
  const timer = bytes === null ? watchReader(raw, end) : setTimeout(end, longestMs(bytes))
  timer.unref()
  // A stream may be old because the server computes it: only a reader that holds it up is slow.
  lease.onEvict(() => {
    if (bytes !== null || raw.writableNeedDrain) end()
  })
  raw.once('close', () => {
    clearTimeout(timer)
    lease.release()
  })
}

const longestMs = (bytes: number): number =>
  (LEAST_SECONDS + bytes / SLOWEST_BYTES_PER_SECOND) * MS_PER_SECOND

/** Looks now and then whether the reader of a stream takes what waits for it. */
function watchReader(raw: FastifyReply['raw'], end: () => void): NodeJS.Timeout {
  // The connection may have carried earlier responses.
  let taken = raw.socket?.bytesWritten ?? 0
  return setInterval(() => {
    const now = raw.socket?.bytesWritten ?? 0
    if (raw.writableNeedDrain && now - taken < LEAST_SECONDS * SLOWEST_BYTES_PER_SECOND) end()
    taken = now
  }, LEAST_SECONDS * MS_PER_SECOND)
}
