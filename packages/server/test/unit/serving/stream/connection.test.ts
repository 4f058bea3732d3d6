import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Connection } from '../../../../src/serving/stream/connection.ts'
import { aKeyActor } from '../../../harness/a-key-actor.ts'
import { eventually } from '../../../harness/eventually.ts'

const MIB = 1024 * 1024
const actor = aKeyActor()

let server: Server
let reader: Socket
let connection: Connection
let received: number

beforeAll(async () => {
  server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(() => {
  server.close()
})

/** A reader that reads nothing until it is resumed. */
beforeEach(async () => {
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  reader = connect({ port, host: '127.0.0.1' })
  reader.pause()
  received = 0
  reader.on('data', (bytes) => {
    received += bytes.length
  })
  reader.pause()
  const [socket] = (await once(server, 'connection')) as [Socket]
  socket.on('error', () => undefined)
  connection = new Connection({ socket, actor, audience: 'server', coding: 'chunked' })
  return () => {
    reader.destroy()
    socket.destroy()
  }
})

describe('a reader that reads nothing', () => {
  it('a stuck reader is dropped once the live frames behind its bootstrap exceed 1 MiB, not for a large bootstrap', () => {
    connection.sendBootstrap(Buffer.alloc(64 * MIB))
    expect(connection.open).toBe(true)
    let sent = 0
    while (connection.open && sent < 10 * MIB) {
      connection.send(Buffer.alloc(64 * 1024))
      sent += 64 * 1024
    }
    expect(connection.open).toBe(false)
    expect(sent).toBeGreaterThan(MIB)
    expect(sent).toBeLessThan(1.25 * MIB)
  })

  it('a stuck reader is dropped by a reset, so that the kernel keeps nothing for it', async () => {
    const failed = once(reader, 'error')
    while (connection.open) connection.send(Buffer.alloc(64 * 1024))
    reader.resume()
    expect(await failed).toMatchObject([{ code: 'ECONNRESET' }])
  })

  it('a stuck reader is dropped when no byte has drained over two keep-alives', () => {
    connection.sendBootstrap(Buffer.alloc(64 * MIB))
    const ping = Buffer.from(': keep-alive\n\n')
    connection.keepAlive(ping)
    connection.keepAlive(ping)
    expect(connection.open).toBe(true)
    connection.keepAlive(ping)
    expect(connection.open).toBe(false)
  })
})

describe('a stream that is ended', () => {
  it('a stream that ends during its bootstrap is broken off, so that a cut frame does not look complete', async () => {
    connection.sendBootstrap(Buffer.alloc(64 * MIB, 'x'))
    connection.end()
    expect(connection.open).toBe(false)
    let tail = ''
    reader.on('data', (bytes) => {
      tail = bytes.subarray(-5).toString('latin1')
    })
    const closed = once(reader, 'close')
    reader.resume()
    await closed
    expect(tail).not.toBe('0\r\n\r\n')
  })

  it('a stream that ends after its bootstrap ends with the last chunk', async () => {
    connection.send(Buffer.from('frame'))
    connection.end()
    let text = ''
    reader.on('data', (bytes) => {
      text += bytes.toString('latin1')
    })
    const ended = once(reader, 'end')
    reader.resume()
    await ended
    expect(text).toBe('frame0\r\n\r\n')
  })
})

describe('a reader that is slow but reads', () => {
  it('a slow reader gets the whole bootstrap and then the live frames, in order', async () => {
    const bootstrap = Buffer.alloc(8 * MIB, 'b')
    connection.sendBootstrap(bootstrap)
    connection.send(Buffer.from('live'))
    let tail = ''
    reader.on('data', (bytes) => {
      tail = (tail + bytes.toString('latin1')).slice(-6)
    })
    reader.resume()
    await eventually(() => received === bootstrap.length + 4)
    expect(tail).toBe('bblive')
  })

  it('a slow reader may repeatedly fall behind by up to 1 MiB', async () => {
    connection.sendBootstrap(Buffer.alloc(8 * MIB))
    for (let round = 1; round <= 3; round++) {
      for (let frame = 0; frame < 12; frame++) connection.send(Buffer.alloc(64 * 1024))
      reader.resume()
      await eventually(() => received === 8 * MIB + round * 12 * 64 * 1024)
      reader.pause()
    }
    expect(connection.open).toBe(true)
  })
})
