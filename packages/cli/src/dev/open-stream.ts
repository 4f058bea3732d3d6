import type { ServerResponse } from 'node:http'

const KEEP_ALIVE_MS = 15_000
/** The bytes that may wait for a client which does not read. */
const WAITING_MAX_BYTES = 16 * 1024 * 1024

interface StreamParts {
  /** The bytes that are sent at once. */
  readonly first: Buffer
  /** Sends what follows, until the returned function is called. */
  readonly follow: (send: (bytes: Buffer) => void) => () => void
  readonly keepAlive: string
}

/** Sends server-sent events until the client leaves. A client that stops reading is disconnected. */
export function openStream(response: ServerResponse, { first, follow, keepAlive }: StreamParts): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
  const send = (bytes: Buffer | string): void => {
    response.write(bytes)
    if (response.writableLength > WAITING_MAX_BYTES) response.destroy()
  }
  send(first)
  const leave = follow(send)
  const timer = setInterval(send, KEEP_ALIVE_MS, keepAlive)
  response.once('close', () => {
    clearInterval(timer)
    leave()
  })
}
