import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { API_POLICY } from '../../kernel/api-policy.ts'

/** A request whose response is written by hand. */
export interface RawExchange {
  readonly request: Pick<IncomingMessage, 'httpVersion' | 'headers'>
  readonly request_id: string
  readonly waitForTurn: () => Promise<void>
  readonly takeSocket: () => Socket | null
}

/** The connection ends with the stream: a client must not send its next request on it. */
const HEADERS = [
  'Connection: close',
  'Content-Type: text/event-stream',
  'Cache-Control: no-cache, no-transform',
  'X-Accel-Buffering: no',
  'X-Content-Type-Options: nosniff',
  `Content-Security-Policy: ${API_POLICY}`,
  'Access-Control-Allow-Origin: *',
  'Access-Control-Expose-Headers: date',
].join('\r\n')

const CHUNKED_HEAD = `HTTP/1.1 200 OK\r\n${HEADERS}\r\nTransfer-Encoding: chunked`
/** The head for HTTP/1.0, which has no chunks: the response ends with the connection. */
const PLAIN_HEAD = `HTTP/1.0 200 OK\r\n${HEADERS}`

/** Returns whether the caller supports chunked transfer coding. */
export const takesChunks = ({ request }: RawExchange): boolean => request.httpVersion !== '1.0'

/**
 * Takes the socket of a request and writes the head of an event stream to it. Frames are then written to the
 * socket directly, which is several times cheaper than through the response. Null when the caller has left,
 * or has sent another request after this one.
 *
 * @param ack The value of `X-Burgee-Ack`, for a client that confirms what it has applied.
 */
export function takeSocket(raw: RawExchange, ack?: string): Socket | null {
  const socket = raw.takeSocket()
  if (!socket) return null
  socket.setKeepAlive(true, TCP_KEEP_ALIVE_MS)
  // The head is sent together with what is written in the same turn.
  socket.cork()
  const head = takesChunks(raw) ? CHUNKED_HEAD : PLAIN_HEAD
  const date = new Date().toUTCString()
  const asked = ack === undefined ? '' : `\r\nX-Burgee-Ack: ${ack}`
  socket.write(`${head}\r\nDate: ${date}\r\nX-Request-Id: ${raw.request_id}${asked}\r\n\r\n`, 'latin1')
  process.nextTick(() => socket.uncork())
  return socket
}
const TCP_KEEP_ALIVE_MS = 60_000
