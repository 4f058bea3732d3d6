import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect, createServer as createTcpServer, type Socket } from 'node:net'

export interface Address {
  readonly url: string
  close(): Promise<void>
}

/** Starts a server that accepts requests and never responds. */
export async function startSilentServer(): Promise<Address> {
  const server = createServer(() => {})
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { url: urlOf(server), close: () => closeServer(server) }
}

/** Starts a proxy to a server that can break off, like a network does. */
export async function startProxy(target: string): Promise<Address> {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  const server = createTcpServer((socket) => {
    const upstream = connect(Number(port), hostname)
    for (const end of [socket, upstream]) {
      sockets.add(end)
      end.on('error', () => {})
      end.on('close', () => {
        sockets.delete(end)
        socket.destroy()
        upstream.destroy()
      })
    }
    socket.pipe(upstream).pipe(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

const urlOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeAllConnections()
  await closed
}
