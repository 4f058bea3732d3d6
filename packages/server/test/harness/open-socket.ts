import { once } from 'node:events'
import { connect } from 'node:net'
import { eventually } from './eventually.ts'

/** A connection whose bytes the test handles itself. */
export interface RawSocket {
  /** The local port; undefined when the connection failed. */
  readonly port: number | undefined
  /** Returns everything that was received so far. */
  text(): string
  send(text: string): void
  /** Ends the sending side. */
  end(): void
  until(pattern: RegExp): Promise<void>
  /** Resolves when the connection has ended in any way. */
  readonly closed: Promise<void>
  isClosed(): boolean
  pause(): void
  resume(): void
  destroy(): void
}

/** @param from The loopback address that the server sees, such as 127.0.0.2 (Linux). */
export async function openSocket(url: string, from = '127.0.0.1'): Promise<RawSocket> {
  const { port } = new URL(url)
  const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress: from })
  let text = ''
  let isClosed = false
  socket.on('data', (bytes) => {
    text += bytes.toString('latin1')
  })
  // A server may reset the connection; a failed connect ends it as well.
  socket.on('error', () => undefined)
  // `once` would reject when an error comes first.
  const closed = new Promise<void>((resolve) => {
    socket.on('close', () => {
      isClosed = true
      resolve()
    })
  })
  await Promise.race([once(socket, 'connect').catch(() => undefined), closed])
  return {
    port: socket.localPort,
    text: () => text,
    send: (bytes) => void socket.write(bytes, 'latin1'),
    end: () => void socket.end(),
    until: async (pattern) => void (await eventually(() => pattern.test(text))),
    closed,
    isClosed: () => isClosed,
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
    destroy: () => void socket.destroy(),
  }
}
