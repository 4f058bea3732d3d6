import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createProxyFetch } from '../../src/index.ts'

const servers: Server[] = []
const sockets = new Set<Socket>()
afterEach(() => {
  for (const socket of sockets) socket.destroy()
  for (const server of servers.splice(0)) server.close()
})

/** Starts a proxy that treats `CONNECT` as given. */
async function startProxy(
  onConnect: (socket: Socket, headers: Record<string, unknown>) => void,
): Promise<string> {
  const server = createServer()
  servers.push(server)
  server.on('connection', (socket: Socket) => sockets.add(socket))
  server.on('connect', (request, socket) => {
    socket.on('error', () => undefined)
    onConnect(socket as Socket, request.headers)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

const fetchThrough = (proxy: string, init?: RequestInit) =>
  createProxyFetch({ HTTPS_PROXY: proxy })('https://flags.invalid/health', init)

describe('a request through a proxy', () => {
  it('names the host and sends the credentials of the proxy', async () => {
    let seen: Record<string, unknown> = {}
    const proxy = await startProxy((socket, headers) => {
      seen = headers
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')
    })
    await expect(fetchThrough(`http://me:s%40cret@${proxy}`)).rejects.toThrow(
      'refused the connection with 407',
    )
    const credentials = `Basic ${Buffer.from('me:s@cret').toString('base64')}`
    expect(seen).toMatchObject({ host: 'flags.invalid:443', 'proxy-authorization': credentials })
  })

  it.each([
    ['is refused', 'HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n', '403'],
    ['is answered without a tunnel', 'HTTP/1.1 204 No Content\r\n\r\n', '204'],
  ])('fails when it %s', async (_, answer, status) => {
    const proxy = await startProxy((socket) => socket.end(answer))
    await expect(fetchThrough(`http://${proxy}`)).rejects.toThrow(status)
  })

  it('fails when the tunnel speaks no TLS, ends, or the proxy does not respond', async () => {
    const plain = await startProxy((socket) => socket.write('HTTP/1.1 200 OK\r\n\r\nnot TLS at all, sorry'))
    await expect(fetchThrough(`http://${plain}`)).rejects.toThrow()
    const ended = await startProxy((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'))
    await expect(fetchThrough(`http://${ended}`)).rejects.toThrow()
    await expect(fetchThrough('http://127.0.0.1:1')).rejects.toThrow('ECONNREFUSED')
  })

  it('ends with its signal while the proxy is silent', async () => {
    const proxy = await startProxy(() => undefined)
    const reason = new Error('no time')
    const controller = new AbortController()
    const fetched = fetchThrough(`http://${proxy}`, { signal: controller.signal })
    setTimeout(() => controller.abort(reason), 20)
    await expect(fetched).rejects.toBe(reason)
  })

  it('without a proxy it is the fetch of the runtime', () => {
    expect(createProxyFetch({})).toBe(fetch)
    expect(createProxyFetch({ HTTPS_PROXY: ' ' })).toBe(fetch)
  })
})
