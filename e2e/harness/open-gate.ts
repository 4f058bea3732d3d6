import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A way to a server that can be closed, as when the network between them fails. */
export interface Gate {
  readonly port: number
  /**
   * Closes the gate. `refused`: connections end and new ones are refused. `silent`: they stay, and nothing
   * passes any more.
   */
  shut(how: 'refused' | 'silent'): void
  open(): void
}

/** Opens a gate on 127.0.0.1 in front of a unix socket. */
export async function openGate(socketPath: string): Promise<Gate> {
  const sockets = new Set<Socket>()
  let state: 'open' | 'refused' | 'silent' = 'open'
  const server = createServer((outer) => {
    if (state === 'refused') return void outer.destroy()
    const inner = connect(socketPath)
    for (const [from, to] of [
      [outer, inner],
      [inner, outer],
    ] as const) {
      sockets.add(from)
      if (state === 'silent') from.pause()
      from.on('data', (bytes) => to.write(bytes))
      from.on('error', () => from.destroy())
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
    }
    if (state === 'silent') outer.pause()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const dropAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  onTestFinished(() => {
    dropAll()
    server.close()
  })
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    shut(how) {
      state = how
      if (how === 'refused') dropAll()
      else for (const socket of sockets) socket.pause()
    },
    open() {
      state = 'open'
      for (const socket of sockets) socket.resume()
    },
  }
}
