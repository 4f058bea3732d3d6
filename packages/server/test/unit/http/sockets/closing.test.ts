import type { EventEmitter } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import {
  type Connections,
  type ConnectionsDeps,
  createConnections,
} from '../../../../src/http/sockets/create-connections.ts'
import { createMetrics } from '../../../../src/platform/metrics/metrics.ts'
import { eventually } from '../../../harness/eventually.ts'
import { openSocket } from '../../../harness/open-socket.ts'
import { silentLog } from '../../../harness/silent-log.ts'

type OnRequest = (request: IncomingMessage, response: ServerResponse, connections: Connections) => unknown

const GET = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'
const MEBIBYTE = 1024 * 1024

test('a response that is queued when its client leaves is closed like the one before it', async () => {
  const closed: number[] = []
  const opened: ServerResponse[] = []
  const url = await listen((_request, response) => {
    const number = opened.push(response)
    response.once('close', () => closed.push(number))
  })
  const client = await openSocket(url)
  client.send(GET.repeat(3))
  await eventually(() => opened.length === 3)

  client.destroy()

  await eventually(() => closed.length === 3)
  expect(opened.map(({ destroyed }) => destroyed)).toEqual([true, true, true])
})

test('a queued response whose turn comes is sent and closed once', async () => {
  const closed: number[] = []
  const opened: ServerResponse[] = []
  const url = await listen((_request, response) => {
    const number = opened.push(response)
    response.once('close', () => closed.push(number))
  })
  const client = await openSocket(url)
  client.send(GET.repeat(2))
  await eventually(() => opened.length === 2)

  opened[1]?.end('second')
  opened[0]?.end('first')
  await client.until(/first[\s\S]*second/)
  client.destroy()
  await client.closed

  expect(closed).toEqual([1, 2])
})

test('the last response of a connection arrives although the client goes on sending', async () => {
  const text = 'x'.repeat(MEBIBYTE)
  const url = await listen((_request, response) =>
    response.writeHead(200, { connection: 'close', 'content-length': text.length }).end(text),
  )
  const client = await openSocket(url)
  client.pause()
  client.send(
    `${GET.replace('GET', 'POST').replace('\r\n\r\n', `\r\nContent-Length: ${8 * MEBIBYTE}\r\n\r\n`)}`,
  )
  for (let sent = 0; sent < 8; sent += 1) client.send('y'.repeat(MEBIBYTE))

  client.resume()
  await client.closed

  expect(client.text().split('\r\n\r\n')[1]?.length).toBe(MEBIBYTE)
})

test('nothing after the last response of a connection is handled', async () => {
  let requests = 0
  const url = await listen((_request, response) => {
    requests += 1
    response.writeHead(200, { connection: 'close' }).end('last')
  })
  const client = await openSocket(url)
  client.send(GET)
  await client.until(/last/)
  client.send(GET)

  await client.closed

  expect(requests).toBe(1)
})

test('a taken socket is cut from the request, the response and the parser that Node has for it', async () => {
  const taken: Taken[] = []
  const url = await listen(async (request, response, { takeSocket }) => {
    await request.resume().toArray()
    const socket = takeSocket(request, response)
    socket?.write('stream')
    taken.push({ response, socket })
  })
  const client = await openSocket(url)

  client.send(GET)
  await client.until(/stream/)

  expect(taken[0]?.response.socket).toBeNull()
  expect(Object(taken[0]?.socket).parser).toBeNull()
})

test.each([
  { event: 'finish', name: 'bound resOnFinish' },
  { event: 'close', name: 'bound socketOnClose' },
])(
  'a socket is taken from a Node that names $name otherwise, and closed with its client',
  async (renamed) => {
    const taken: Taken[] = []
    let requests = 0
    const url = await listen(async (request, response, { takeSocket }) => {
      requests += 1
      await request.resume().toArray()
      const emitter: EventEmitter = renamed.event === 'finish' ? response : request.socket
      const listeners = emitter.listeners(renamed.event).filter(({ name }) => name === renamed.name)
      expect(listeners).toHaveLength(1)
      for (const listener of listeners)
        emitter.off(renamed.event, listener as () => void).on(renamed.event, () => listener.call(emitter))
      const socket = takeSocket(request, response)
      socket?.write('stream')
      taken.push({ response, socket })
    })
    const client = await openSocket(url)
    client.send(GET)
    await client.until(/stream/)
    expect(taken[0]?.response.socket).not.toBeNull()
    taken[0]?.socket?.write(' goes on')
    await client.until(/stream goes on/)

    client.destroy()

    await eventually(() => taken[0]?.socket?.closed === true)
    expect(requests).toBe(1)
  },
)

test('a stream of a client behind a proxy counts until it ends, although its request is forgotten', async () => {
  const taken: (Socket | null)[] = []
  const url = await listen(
    async (request, response, { admitForwarded, takeSocket }) => {
      await request.resume().toArray()
      const isAdmitted = admitForwarded(request, response, () => '198.51.100.7')
      const socket = isAdmitted ? takeSocket(request, response) : null
      if (!isAdmitted) response.writeHead(503).end()
      else taken.push(socket)
      socket?.write('stream')
    },
    { maxPerAddress: 1, isProxy: () => true },
  )
  const [first, second, third] = [await openSocket(url), await openSocket(url), await openSocket(url)]
  first.send(GET)
  await first.until(/stream/)

  second.send(GET)
  await second.until(/503/)
  first.destroy()
  await eventually(() => taken[0]?.closed === true)
  third.send(GET)

  await third.until(/stream/)
  expect(taken).toHaveLength(2)
})

interface Taken {
  readonly response: ServerResponse
  readonly socket: Socket | null
}

/** Starts a server whose connections are bounded and closed as in the product. */
async function listen(
  onRequest: OnRequest,
  limits: Partial<Pick<ConnectionsDeps, 'maxPerAddress' | 'isProxy'>> = {},
): Promise<string> {
  const connections = createConnections({
    log: silentLog(),
    metrics: await createMetrics({ isServed: false }),
    budget: { ordinary: 100, total: 110 },
    maxPerAddress: 100,
    isProxy: () => false,
    ...limits,
  })
  const server = createServer((request, response) => {
    if (connections.admitRequest(request, response)) void onRequest(request, response, connections)
  })
  connections.attach(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
