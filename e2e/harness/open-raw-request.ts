import { once } from 'node:events'
import { connect } from 'node:net'
import { eventually } from '../../packages/server/test/harness/eventually.ts'

/** A request whose bytes, and those of its response, the test handles itself. */
export interface RawRequest {
  /** Returns the response so far, as received. */
  text(): string
  until(pattern: RegExp): Promise<void>
  /** Sends the body, or a piece of it. */
  write(text: string): void
  /** Stops reading; further bytes of the server wait in buffers. */
  pause(): void
  /** Resolves when the server has ended or reset the connection. */
  readonly ended: Promise<void>
}

/** Opens a connection and sends the head of a request. */
export async function openRawRequest(
  url: string,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<RawRequest> {
  const { hostname, host, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  let text = ''
  socket.setEncoding('utf8')
  socket.on('data', (piece: string) => {
    text += piece
  })
  // A server may reset the connection instead of ending it.
  socket.on('error', () => undefined)
  const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  await once(socket, 'connect')
  const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`)
  return {
    text: () => text,
    until: async (pattern) => void (await eventually(() => pattern.test(text))),
    write: (body) => void socket.write(body),
    pause: () => void socket.pause(),
    ended,
  }
}
