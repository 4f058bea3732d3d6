import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, test } from 'vitest'
import { createOutbound } from '../../../src/platform/outbound/create-outbound.ts'
import type { Outbound, OutboundRequest } from '../../../src/platform/outbound/outbound.ts'
import { ALL_PRIVATE_TARGETS, createPrivateTargets } from '../../../src/platform/outbound/private-targets.ts'
import { eventually } from '../../harness/eventually.ts'
import { HAS_OPENSSL, selfSigned } from '../../harness/self-signed.ts'

const PATIENCE_MS = 20_000
const KEPT = 500
const BLOCKED = createPrivateTargets({ areBlocked: true, allow: [] })

const servers: Server[] = []
const sockets = new Set<Socket>()
const outbounds: Outbound[] = []

afterEach(async () => {
  await Promise.all(outbounds.splice(0).map((outbound) => outbound.close()))
  for (const socket of sockets) socket.destroy()
  await Promise.all(servers.splice(0).map((server) => new Promise((done) => server.close(done))))
})

/** Starts a real server on 127.0.0.1; returns its address without a path. */
async function listen(server: Server): Promise<string> {
  servers.push(server)
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return `http://127.0.0.1:${address.port}`
}

const receiver = (onRequest: RequestListener) => listen(createServer(onRequest))

/** Writes `bytes` once a request has arrived, whatever they are. */
const rawReceiver = (answer: (socket: Socket) => void) =>
  listen(
    createTcpServer((socket) => {
      socket.on('error', () => undefined)
      socket.once('data', () => answer(socket))
    }),
  )

function open(settings: Partial<Parameters<typeof createOutbound>[0]> = {}): Outbound {
  // Every receiver of these tests has a private address.
  const outbound = createOutbound({
    privateTargets: ALL_PRIVATE_TARGETS,
    keepResponseOf: () => true,
    ...settings,
  })
  outbounds.push(outbound)
  return outbound
}

const request = (changes: Partial<OutboundRequest> = {}): OutboundRequest => ({
  headers: { 'content-type': 'application/json' },
  body: '{"a":"ü"}',
  timeoutMs: PATIENCE_MS,
  signal: new AbortController().signal,
  ...changes,
})

const portOf = (url: string): string => new URL(url).port

describe('the outgoing request', () => {
  test('body and headers are sent as given, and no compression is accepted', async () => {
    let seen: unknown
    const url = await receiver((req, res) => {
      const chunks: Buffer[] = []
      req.on('data', (chunk: Buffer) => chunks.push(chunk))
      req.on('end', () => {
        const { 'accept-encoding': encoding, 'content-type': type, 'x-id': id } = req.headers
        seen = {
          method: req.method,
          url: req.url,
          encoding,
          type,
          id,
          body: Buffer.concat(chunks).toString(),
        }
        res.end('thanks')
      })
    })
    const headers = { 'content-type': 'application/json', 'x-id': '7' }
    const result = await open().post(`${url}/hook?a=b#part`, request({ headers }))
    expect(result).toEqual({ status_code: 200, response_body: 'thanks', error: null })
    const sent = { type: 'application/json', id: '7', body: '{"a":"ü"}' }
    expect(seen).toEqual({ method: 'POST', url: '/hook?a=b', encoding: 'identity', ...sent })
  })

  test('a header that HTTP does not allow is an error and not an exception', async () => {
    const url = await receiver((_, res) => res.end())
    const result = await open().post(url, request({ headers: { 'x-id': 'a\r\nb: c' } }))
    expect(result).toMatchObject({ status_code: null, response_body: null })
    expect(result.error).toContain('cannot be sent')
  })
})

describe('the response of a receiver', () => {
  test.each([200, 201, 204, 400, 404, 410, 429, 500, 503])('status %d is a response', async (status) => {
    const url = await receiver((_, res) => res.writeHead(status).end())
    expect(await open().post(url, request())).toEqual({ status_code: status, response_body: '', error: null })
  })

  test.each([301, 302, 303, 307, 308])(
    'a redirect (%d) is a response and is not followed',
    async (status) => {
      const visited: string[] = []
      const url = await receiver((req, res) => {
        visited.push(req.url ?? '')
        res.writeHead(status, { location: '/elsewhere' }).end('moved')
      })
      const result = await open().post(`${url}/hook`, request())
      expect(result).toEqual({ status_code: status, response_body: 'moved', error: null })
      expect(visited).toEqual(['/hook'])
    },
  )

  test.each([
    ['HTTP/1.1 100 Continue\r\n\r\n', 'an unasked 100 Continue'],
    [
      'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n',
      'several provisional answers',
    ],
    ['HTTP/1.1 102 Processing\r\n\r\n'.repeat(50), 'fifty provisional answers'],
  ])('%j before the answer is skipped: %s', async (provisional) => {
    const url = await rawReceiver((socket) => {
      socket.write(provisional, () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'))
    })
    expect(await open().post(url, request())).toEqual({ status_code: 200, response_body: 'ok', error: null })
  })

  test('provisional answers without end are cut off by the time for the whole', async () => {
    const url = await rawReceiver((socket) => {
      const flood = (): void => {
        while (!socket.destroyed && socket.write('HTTP/1.1 102 Processing\r\n\r\n'.repeat(100)));
      }
      socket.on('drain', flood)
      flood()
    })
    const result = await open().post(url, request({ timeoutMs: 300 }))
    expect(result).toEqual({
      status_code: null,
      response_body: null,
      error: 'no complete response within 0.3 s',
    })
  })

  test('an unrequested switch to another protocol is an error', async () => {
    const url = await rawReceiver((socket) =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
    )
    const result = await open().post(url, request())
    expect(result).toMatchObject({ status_code: null, response_body: null })
    expect(result.error).toContain('closed before the response')
  })

  test('of an endless response 500 characters are kept and the connection is ended', async () => {
    let isOver = false
    const url = await receiver((_, res) => {
      res.once('close', () => {
        isOver = true
      })
      const write = (): void => {
        while (!res.destroyed && res.write('é'.repeat(10_000)));
      }
      res.on('drain', write)
      write()
    })
    const result = await open().post(url, request())
    expect(result).toEqual({ status_code: 200, response_body: 'é'.repeat(KEPT), error: null })
    await eventually(() => expect(isOver).toBe(true))
  })

  test('a response of exactly 500 characters is kept completely', async () => {
    const url = await receiver((_, res) => res.end('x'.repeat(KEPT)))
    expect((await open().post(url, request())).response_body).toBe('x'.repeat(KEPT))
  })

  test('a compressed response is not decompressed', async () => {
    const bomb = gzipSync(Buffer.alloc(50 * 1024 * 1024))
    const url = await receiver((_, res) => res.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb))
    const { error, response_body, status_code } = await open().post(url, request())
    expect({ error, status_code }).toEqual({ error: null, status_code: 200 })
    expect((response_body ?? '').length).toBeLessThanOrEqual(KEPT)
  })

  test('of a private address only the status is kept', async () => {
    const url = await receiver((_, res) => res.writeHead(418).end('an internal secret'))
    const ofDefault = createOutbound({ privateTargets: ALL_PRIVATE_TARGETS })
    outbounds.push(ofDefault)
    for (const host of ['127.0.0.1', 'localhost', '[::ffff:7f00:1]']) {
      const result = await ofDefault.post(`http://${host}:${portOf(url)}`, request())
      expect(result).toEqual({ status_code: 418, response_body: null, error: null })
    }
  })

  test('characters that the database cannot store are replaced', async () => {
    const url = await receiver((_, res) => res.end(Buffer.from([0x61, 0, 0xff])))
    expect((await open().post(url, request())).response_body).toBe('a\u{fffd}\u{fffd}')
  })
})

describe('incomplete outgoing requests', () => {
  const failed = { status_code: null, response_body: null }

  test('a request fails when nothing listens', async () => {
    const url = await receiver((_, res) => res.end())
    await new Promise((done) => servers.pop()?.close(done))
    const result = await open().post(`${url}/secret-path`, request())
    expect(result).toEqual({ ...failed, error: 'the connection was refused (ECONNREFUSED)' })
  })

  test('a request fails when the receiver resets the connection', async () => {
    const url = await rawReceiver((socket) => socket.resetAndDestroy())
    const result = await open().post(url, request())
    expect(result).toEqual({ ...failed, error: 'the connection was reset (ECONNRESET)' })
  })

  test('a request fails when the receiver closes without a response', async () => {
    const url = await rawReceiver((socket) => socket.end())
    const { error, ...rest } = await open().post(url, request())
    expect(rest).toEqual(failed)
    expect(error).toContain('closed before the response')
  })

  test('a request fails when the receiver sends something else than HTTP', async () => {
    const url = await rawReceiver((socket) => socket.end('220 mail.example.com ESMTP\r\n'))
    const { error, ...rest } = await open().post(url, request())
    expect(rest).toEqual(failed)
    expect(error).toContain('not HTTP')
  })

  test('a request fails when the receiver responds without TLS', async () => {
    const url = await rawReceiver((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'))
    const { error, ...rest } = await open().post(url.replace('http:', 'https:'), request())
    expect(rest).toEqual(failed)
    expect(error).toContain('does not speak TLS')
  })

  test.skipIf(!HAS_OPENSSL)(
    'a request fails when the certificate is not trusted (needs openssl)',
    async () => {
      let requests = 0
      const server = createSecureServer(await selfSigned(), (_, res) => {
        requests += 1
        res.end()
      })
      const url = (await listen(server)).replace('http:', 'https:')
      const { error, ...rest } = await open().post(url, request())
      expect(rest).toEqual(failed)
      expect(error).toContain('the certificate is not trusted')
      expect(requests).toBe(0)
    },
  )

  test('endless headers are cut off', async () => {
    const url = await rawReceiver((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n')
      const flood = (): void => {
        for (let line = 0; !socket.destroyed && socket.write(`x-${line}: ${'y'.repeat(1_000)}\r\n`); )
          line += 1
      }
      socket.on('drain', flood)
      flood()
    })
    const { error, ...rest } = await open().post(url, request())
    expect(rest).toEqual(failed)
    expect(error).toContain('headers of the response are too large')
  })

  test('a request fails without a response in time', async () => {
    const url = await rawReceiver(() => undefined)
    const result = await open().post(url, request({ timeoutMs: 50 }))
    expect(result).toEqual({ ...failed, error: 'no complete response within 0.05 s' })
    await eventually(() => expect(sockets.size).toBe(0))
  })

  test('a slow response is cut off by the total timeout, and what arrived is kept', async () => {
    const url = await receiver((_, res) => {
      res.writeHead(200)
      const drip = setInterval(() => res.write('.'), 5)
      res.once('close', () => clearInterval(drip))
    })
    const result = await open().post(url, request({ timeoutMs: 300 }))
    expect(result).toMatchObject({ status_code: 200, error: 'no complete response within 0.3 s' })
    expect(result.response_body).toMatch(/^\.*$/)
  })

  test('a response that breaks off is kept with its status', async () => {
    const url = await rawReceiver((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf', () => socket.destroySoon())
    })
    const result = await open().post(url, request())
    expect(result).toMatchObject({ status_code: 200, response_body: 'half' })
    expect(result.error).not.toBeNull()
  })

  test('resolving the name counts towards the timeout', async () => {
    const resolve = () => new Promise<never>(() => undefined)
    const result = await open({ resolve }).post('http://slow.example/', request({ timeoutMs: 50 }))
    expect(result).toEqual({ ...failed, error: 'no complete response within 0.05 s' })
  })

  test('the caller aborts a request', async () => {
    const controller = new AbortController()
    const url = await rawReceiver(() => controller.abort())
    const result = await open().post(url, request({ signal: controller.signal }))
    expect(result).toEqual({ ...failed, error: 'the attempt was aborted' })
    const late = await open().post(url, request({ signal: controller.signal }))
    expect(late).toEqual({ ...failed, error: 'the attempt was aborted' })
  })

  test('closing aborts running requests and refuses later ones', async () => {
    const outbound = open()
    const url = await rawReceiver(() => void outbound.close())
    const brokenOff = { ...failed, error: 'the attempt was aborted' }
    expect(await outbound.post(url, request())).toEqual(brokenOff)
    expect(await outbound.post(url, request())).toEqual(brokenOff)
    await eventually(() => expect(sockets.size).toBe(0))
  })
})

describe('the resolved address is checked at connect time', () => {
  test('a name is resolved for each request and reached at its current address', async () => {
    const url = await receiver((req, res) => res.end(req.headers.host))
    const names: string[] = []
    const resolve = async (name: string) => {
      names.push(name)
      return ['127.0.0.1']
    }
    const outbound = open({ resolve })
    for (const _ of [1, 2]) {
      const result = await outbound.post(`http://hooks.example:${portOf(url)}/`, request())
      expect(result.response_body).toBe(`hooks.example:${portOf(url)}`)
    }
    expect(names).toEqual(['hooks.example', 'hooks.example'])
  })

  test.each([
    '169.254.169.254',
    '0.0.0.0',
    '100.100.100.200',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    'fe80::1',
    'fe80::1%lo',
    'fd00:ec2::254',
    '::ffff:169.254.169.254',
    '::ffff:0.0.0.0',
    '64:ff9b::a9fe:a9fe',
    '2002:a9fe:a9fe::',
    'no address',
  ])('a name that resolves to %s is not reached', async (address) => {
    let requests = 0
    const url = await receiver((_, res) => {
      requests += 1
      res.end()
    })
    const result = await open({ resolve: async () => [address] }).post(
      `http://hooks.example:${portOf(url)}/`,
      request(),
    )
    expect(result).toMatchObject({ status_code: null, response_body: null })
    expect(result.error).toContain('never reached')
    expect(requests).toBe(0)
  })

  test('a name that changes to a forbidden address gains nothing (rebinding)', async () => {
    let requests = 0
    const url = await receiver((_, res) => {
      requests += 1
      res.end()
    })
    const addresses = ['127.0.0.1', '169.254.169.254']
    const outbound = open({ resolve: async () => addresses.splice(0, 1) })
    const target = `http://hooks.example:${portOf(url)}/`
    expect((await outbound.post(target, request())).status_code).toBe(200)
    expect((await outbound.post(target, request())).error).toContain('never reached')
    expect(requests).toBe(1)
  })

  test('of several addresses only allowed ones are tried', async () => {
    const url = await receiver((_, res) => res.end('here'))
    const resolve = async () => ['169.254.169.254', '127.0.0.1']
    const result = await open({ resolve }).post(`http://hooks.example:${portOf(url)}/`, request())
    expect(result.response_body).toBe('here')
  })

  test('with BLOCK_PRIVATE_TARGETS private addresses are not reached by name or literally', async () => {
    let requests = 0
    const url = await receiver((_, res) => {
      requests += 1
      res.end()
    })
    for (const address of ['127.0.0.1', '10.0.0.1', '::1', '::ffff:127.0.0.1', 'fd00::1']) {
      const outbound = open({ privateTargets: BLOCKED, resolve: async () => [address] })
      const { error } = await outbound.post(`http://hooks.example:${portOf(url)}/`, request())
      expect(error).toContain('BLOCK_PRIVATE_TARGETS')
    }
    expect((await open({ privateTargets: BLOCKED }).post(url, request())).error).toContain(
      'BLOCK_PRIVATE_TARGETS',
    )
    expect(requests).toBe(0)
  })

  test('OUTBOUND_ALLOW allows the listed addresses and names, checked at each connection', async () => {
    let requests = 0
    const url = await receiver((_, res) => {
      requests += 1
      res.end()
    })
    const target = `http://hooks.example:${portOf(url)}/`
    const allowing = (...allow: string[]) => createPrivateTargets({ areBlocked: true, allow })
    const postFrom = async (allow: string, addresses: string[]) =>
      open({ privateTargets: allowing(allow), resolve: async () => [addresses.shift() ?? ''] }).post(
        target,
        request(),
      )

    expect((await postFrom('127.0.0.0/8', ['127.0.0.1'])).status_code).toBe(200)
    expect((await postFrom('hooks.example', ['127.0.0.1'])).status_code).toBe(200)
    expect((await postFrom('10.0.0.0/8', ['127.0.0.1'])).error).toContain('OUTBOUND_ALLOW')
    expect((await postFrom('other.example', ['127.0.0.1'])).error).toContain('OUTBOUND_ALLOW')
    expect((await postFrom('hooks.example', ['169.254.169.254'])).error).toContain('never reached')
    expect(requests).toBe(2)

    // An unlisted name that resolves to another address at its next use.
    const addresses = ['127.0.0.1', '127.0.1.1', '169.254.169.254']
    const rebound = open({
      privateTargets: allowing('127.0.0.1/32', '169.254.0.0/16'),
      resolve: async () => [addresses.shift() ?? ''],
    })
    expect((await rebound.post(target, request())).status_code).toBe(200)
    expect((await rebound.post(target, request())).error).toContain('BLOCK_PRIVATE_TARGETS')
    expect((await rebound.post(target, request())).error).toContain('never reached')
    expect(requests).toBe(3)
  })

  test('an address from before a rule existed is checked when it is used', async () => {
    for (const url of ['http://169.254.169.254/', 'http://2852039166/', 'file:///etc/passwd', 'nonsense']) {
      const { error, ...rest } = await open().post(url, request())
      expect(rest).toEqual({ status_code: null, response_body: null })
      expect(error).toMatch(/^the address /)
    }
  })

  test('localhost resolves, and a name that does not exist is an error', async () => {
    const url = await receiver((_, res) => res.end('local'))
    const outbound = open()
    expect((await outbound.post(`http://localhost:${portOf(url)}/`, request())).response_body).toBe('local')
    const resolve = () => Promise.reject(Object.assign(new Error('no.example'), { code: 'ENOTFOUND' }))
    const { error } = await open({ resolve }).post('http://no.example/', request())
    expect(error).toBe('the host name is unknown (ENOTFOUND)')
  })
})
