import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { API_POLICY } from '../../kernel/api-policy.ts'
import { type Coding, GZIP_HEAD, STREAM_HEADER } from './stream-coding.ts'

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
const HEADS: Readonly<Record<Coding, string>> = {
  // HTTP/1.0 has no chunks: the response ends with the connection.
  plain: `HTTP/1.0 200 OK\r\n${HEADERS}`,
  chunked: CHUNKED_HEAD,
  gzip: `${CHUNKED_HEAD}\r\nContent-Encoding: gzip\r\nVary: X-Burgee-Stream`,
}

/** Returns the coding that the caller supports and has asked for. */
export function codingOf({ request }: RawExchange): Coding {
  if (request.httpVersion === '1.0') return 'plain'
  return request.headers[STREAM_HEADER] === 'gzip' ? 'gzip' : 'chunked'
}

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
  const coding = codingOf(raw)
  const head = HEADS[coding]
  const date = new Date().toUTCString()
  const asked = ack === undefined ? '' : `\r\nX-Burgee-Ack: ${ack}`
  socket.write(`${head}\r\nDate: ${date}\r\nX-Request-Id: ${raw.request_id}${asked}\r\n\r\n`, 'latin1')
  if (coding === 'gzip') socket.write(GZIP_HEAD)
  process.nextTick(() => socket.uncork())
  return socket
}
const TCP_KEEP_ALIVE_MS = 60_000
