import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Client } from '../../src/client.ts'
import type { ClientOptions } from '../../src/client-options.ts'
import { UNAUTHORIZED_RETRY_MS } from '../../src/stream/connection-machine.ts'
import { SILENCE_MS } from '../../src/stream/event-stream.ts'
import { POLL_INTERVAL_MS } from '../../src/stream/poll-snapshots.ts'
import {
  bootstrap,
  connectedFrame,
  ENVIRONMENT_ID,
  type FlagServer,
  frame,
  openStream,
  type Reply,
  startFlagServer,
  upsertFrame,
} from './support/flag-server.ts'
import { flag, stringFlag } from './support/flags.ts'
import * as start from './support/start-client.ts'
import { until } from './support/until.ts'

let server: FlagServer
const clients: Client[] = []

beforeEach(async () => {
  server = await startFlagServer([flag('on'), flag('off', { is_enabled: false })])
})
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()))
  await server.close()
})

function clientOf(options?: Partial<ClientOptions>): start.StartedClient {
  const started = start.clientOf(server, { impressions: 'off', ...options })
  clients.push(started.client)
  return started
}

async function connectedClient(options?: Partial<ClientOptions>): Promise<start.StartedClient> {
  const started = clientOf(options)
  await started.client.connect()
  return started
}

/** Rejects streams with the status until it is set to null. */
function refuseStreams(status: number): void {
  server.onStream = (response) => void response.writeHead(status).end()
}

/** Lets the client fail `count` connection attempts. */
async function failAttempts({ client, platform, errors }: start.StartedClient, count: number): Promise<void> {
  for (let attempt = 0; attempt < count; attempt++) {
    const before = errors.length
    platform.clock.advance(15_000)
    await until(() => errors.length > before && client.status.state === 'waiting')
  }
}

describe('connecting', () => {
  it('the stream is opened with the key as a bearer and accepts an event stream', async () => {
    await connectedClient()

    expect(server.received).toMatchObject([
      {
        method: 'GET',
        path: '/stream',
        headers: { authorization: 'Bearer sk_live_test', accept: 'text/event-stream' },
      },
    ])
  })

  it('connect() resolves on ready, and not before', async () => {
    server.onStream = (response) => {
      server.streams.push(response)
      openStream(response, connectedFrame() + upsertFrame(flag('on')))
    }
    const { client } = clientOf()
    let isConnected = false
    const connecting = client.connect().then(() => {
      isConnected = true
    })
    await until(() => client.status.state === 'bootstrapping')
    expect([isConnected, client.isEnabled('on', 'u'), client.status.isReady]).toEqual([false, false, false])

    server.send(frame('ready', '1'))
    await connecting

    expect([client.isEnabled('on', 'u'), client.status.isReady]).toEqual([true, true])
  })

  it('the environment is that of connected', async () => {
    const { client } = await connectedClient()

    expect(client.status).toMatchObject({
      state: 'live',
      environmentId: ENVIRONMENT_ID,
      flagCount: 2,
      lastError: null,
    })
  })

  it('a path in the address is kept, with or without a slash at its end', async () => {
    server.onStream = (response) => openStream(response, bootstrap([]))
    const { client } = clientOf({ url: `${server.url}/burgee//` })
    void client.connect()
    await until(() => server.received.length > 0)

    expect(server.received[0]?.path).toBe('/burgee/stream')
  })

  it('several connect() calls share one stream and all resolve', async () => {
    const { client } = clientOf()
    await Promise.all([client.connect(), client.connect()])
    await client.connect()

    expect(server.requests('/stream')).toHaveLength(1)
  })

  it('an environment without flags becomes ready', async () => {
    server.flags = []
    const { client } = await connectedClient()

    expect(client.status).toMatchObject({ isReady: true, flagCount: 0 })
  })

  it('connect() rejects after its timeout, and the client keeps trying', async () => {
    refuseStreams(503)
    const { client, platform, errors } = clientOf()
    const connecting = client.connect({ timeoutMs: 200 })
    await until(() => errors.length === 1)
    platform.clock.advance(200)
    await expect(connecting).rejects.toThrow('200 ms')

    server.onStream = null
    platform.clock.advance(1_000)
    await client.connect()
    expect(client.isEnabled('on', 'u')).toBe(true)
  })

  it.each([401, 403])(
    'connect() rejects clearly when the key is refused with %i, and the client retries every 30 s',
    async (status) => {
      refuseStreams(status)
      const { client, platform } = clientOf()

      await expect(client.connect()).rejects.toMatchObject({
        status,
        message: expect.stringContaining('SDK key'),
      })
      expect(client.status).toMatchObject({ state: 'unauthorized', isPolling: false, lastError: { status } })
      await expect(client.connect()).rejects.toMatchObject({ status })

      platform.clock.advance(UNAUTHORIZED_RETRY_MS)
      await until(() => server.requests('/stream').length === 2 && client.status.state === 'unauthorized')
      server.onStream = null
      platform.clock.advance(UNAUTHORIZED_RETRY_MS)
      await until(() => client.status.isReady)
      expect(client.status).toMatchObject({ state: 'live', lastError: null })
    },
  )

  it('connect() rejects when the client is closed, before and meanwhile', async () => {
    refuseStreams(503)
    const { client } = clientOf()
    const connecting = client.connect()
    await client.close()

    await expect(connecting).rejects.toThrow('closed')
    await expect(client.connect()).rejects.toThrow('closed')
  })

  it.each([
    [
      'an answer that is no event stream',
      (r: Parameters<typeof openStream>[0]) =>
        void r.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
    ],
    ['an answer without a body', (r: Parameters<typeof openStream>[0]) => void r.writeHead(204).end()],
    ['an error', (r: Parameters<typeof openStream>[0]) => void r.writeHead(500).end('no')],
    ['a connection that breaks', (r: Parameters<typeof openStream>[0]) => void r.destroy()],
  ])('the client retries after %s', async (_title, onStream) => {
    server.onStream = onStream
    const { client, platform, errors } = clientOf()
    const connecting = client.connect()
    await until(() => errors.length === 1)
    server.onStream = null
    platform.clock.advance(500)

    await connecting
    expect(client.status.state).toBe('live')
  })
})

describe('live updates', () => {
  it('live updates apply UPSERT and DELETE', async () => {
    const { client, updates } = await connectedClient()

    server.update({ type: 'UPSERT', env_id: ENVIRONMENT_ID, flag: flag('off') })
    server.update({ type: 'DELETE', env_id: ENVIRONMENT_ID, key: 'on' })
    await until(() => updates.length === 2)

    expect([client.isEnabled('off', 'u'), client.isEnabled('on', 'u')]).toEqual([true, false])
    expect(updates).toEqual([['off'], ['on']])
  })

  it('unknown events and update types are ignored', async () => {
    const { client, updates } = await connectedClient()

    server.send(frame('celebration', '{'))
    server.update({ type: 'RENAME', from: 'on', to: 'off' })
    server.update({ type: 'UPSERT', flag: flag('new') })
    await until(() => updates.length > 0)

    expect(updates).toEqual([['new']])
    expect(client.status.flagCount).toBe(3)
  })

  it('characters that chunks split are read', async () => {
    const { client, updates } = await connectedClient()
    const bytes = Buffer.from(upsertFrame(stringFlag('greeting', 'grüße 🎏')))
    const cut = bytes.indexOf('🎏') + 2

    server.streams[0]?.write(bytes.subarray(0, cut))
    await new Promise((resolve) => setImmediate(resolve))
    server.streams[0]?.write(bytes.subarray(cut))
    await until(() => updates.length === 1)

    expect(client.getVariant('greeting', 'u')).toBe('grüße 🎏')
  })

  it('a byte order mark is skipped', async () => {
    server.onStream = (response) => openStream(response, `\ufeff${bootstrap([flag('on')])}`)
    const { client } = await connectedClient()

    expect(client.status.flagCount).toBe(1)
  })

  it('a malformed flag gives the fallback', async () => {
    const { client, updates } = await connectedClient()

    server.update({ type: 'UPSERT', flag: { key: 'odd', rules: 'none' } })
    await until(() => updates.length === 1)

    expect(client.evaluate('odd', 'u', {}, 'mine')).toMatchObject({ value: 'mine', reason: 'ERROR' })
    expect(client.isEnabled('odd', 'u')).toBe(false)
  })
})

describe('a lost stream', () => {
  it('a lost stream leaves the last known flags in use, and emits stale', async () => {
    const { client, events } = await connectedClient()
    refuseStreams(503)
    server.drop()
    await until(() => events.includes('stale'))

    expect(client.isEnabled('on', 'u')).toBe(true)
    expect(client.status).toMatchObject({ state: 'waiting', isReady: true, flagCount: 2 })
    expect(client.status.lastError).toBeInstanceOf(Error)
  })

  it('a lost stream reconnects by itself, and announces changes', async () => {
    const { client, platform, events, updates } = await connectedClient()
    server.flags = [flag('on', { is_enabled: false, revision: 2 }), flag('off', { is_enabled: false })]
    server.drop()
    await until(() => client.status.state === 'waiting')
    platform.clock.advance(500)
    await until(() => client.status.state === 'live')

    expect(client.isEnabled('on', 'u')).toBe(false)
    expect(updates).toEqual([['on']])
    expect(events).toEqual(['ready', 'error', 'stale', 'ready', 'update'])
  })

  it('across a reconnect evaluations see the old flags or the new ones, never a mixture', async () => {
    const many = (value: string) =>
      Array.from({ length: 200 }, (_, index) => stringFlag(`flag-${index}`, value))
    server.flags = many('old')
    const { client, platform } = await connectedClient()
    const seen = new Set<string>()
    const observe = () => seen.add([...new Set(Object.values(client.allFlags('u')))].join())
    const observing = setInterval(observe, 0)

    server.onStream = (response) => {
      response.socket?.setNoDelay(true)
      openStream(response, connectedFrame())
      const frames = [...many('new').map(upsertFrame), frame('ready', '200')]
      const sending = setInterval(() => {
        const next = frames.splice(0, 5).join('')
        if (next === '') return clearInterval(sending)
        response.write(next)
        observe()
      }, 0)
    }
    server.drop()
    await until(() => client.status.state === 'waiting')
    platform.clock.advance(500)
    await until(() => client.status.state === 'live')
    observe()
    clearInterval(observing)

    expect([...seen]).toEqual(['old', 'new'])
  })

  it('an interrupted bootstrap is discarded', async () => {
    const { client, platform, errors } = await connectedClient()
    server.onStream = (response) => {
      openStream(response, connectedFrame() + upsertFrame(flag('half')))
      setImmediate(() => response.destroy())
    }
    server.drop()
    await until(() => errors.length === 1)
    platform.clock.advance(500)
    await until(() => errors.length === 2)

    expect(Object.keys(client.allFlags('u'))).toEqual(['on', 'off'])
  })

  it('a malformed frame closes the stream, and the client reconnects', async () => {
    const { client, platform, errors } = await connectedClient()
    server.send(frame('update', '{"type":"UPSERT","flag":{"key":"on","is_en'))
    await until(() => errors.length === 1)
    expect(client.status.state).toBe('waiting')
    expect(client.isEnabled('on', 'u')).toBe(true)
    platform.clock.advance(500)

    await until(() => client.status.state === 'live')
    expect(server.requests('/stream')).toHaveLength(2)
  })

  it('a stream that is silent for 45 s is lost', async () => {
    const { client, platform, errors } = await connectedClient()
    let heard = 0
    platform.clock.advance(SILENCE_MS - 1)
    server.send(': keep-alive\n\n')
    // The keep-alive has arrived when the watchdog is reset.
    await until(() => platform.clock.due().includes(SILENCE_MS))
    heard = errors.length
    platform.clock.advance(SILENCE_MS - 1)
    expect([heard, errors.length, client.status.state]).toEqual([0, 0, 'live'])

    platform.clock.advance(1)
    expect(client.status).toMatchObject({
      state: 'waiting',
      lastError: { message: expect.stringContaining('silent') },
    })
  })

  it('a connection without a response is given up', async () => {
    server.onStream = () => {}
    const { client, platform } = clientOf()
    void client.connect()
    await until(() => server.received.length === 1)
    platform.clock.advance(SILENCE_MS)

    expect(client.status.state).toBe('waiting')
  })
})

describe('polling snapshots', () => {
  it('polling starts after three failed reconnects, beside further attempts', async () => {
    const started = await connectedClient()
    const { client } = started
    refuseStreams(503)
    server.flags = [flag('on', { is_enabled: false, revision: 2 })]
    server.drop()
    await until(() => client.status.state === 'waiting')
    await failAttempts(started, 2)
    expect(client.status.isPolling).toBe(false)
    expect(server.requests('/flags/snapshot')).toHaveLength(0)

    await failAttempts(started, 1)
    expect(client.status.isPolling).toBe(true)
    await until(() => !client.isEnabled('on', 'u'))
    expect(started.updates).toEqual([['on', 'off']])
    await failAttempts(started, 1)
    expect(server.requests('/stream')).toHaveLength(5)
  })

  it('polling requests snapshots every 30 s with the ETag, and keeps its flags when nothing changed', async () => {
    const started = clientOf({ maxReconnectFailures: 1 })
    const { client, platform } = started
    refuseStreams(503)
    await client.connect()
    expect(client.status).toMatchObject({ isReady: true, isPolling: true, environmentId: ENVIRONMENT_ID })

    await until(() => platform.clock.due().includes(POLL_INTERVAL_MS))
    platform.clock.advance(POLL_INTERVAL_MS)
    await until(() => server.requests('/flags/snapshot').length === 2)
    await until(() => platform.clock.due().includes(POLL_INTERVAL_MS))

    const [first, second] = server.requests('/flags/snapshot')
    expect(first?.headers['if-none-match']).toBeUndefined()
    expect(second?.headers['if-none-match']).toMatch(/^"/)
    expect(client.status.flagCount).toBe(2)
    expect(started.events.filter((name) => name !== 'error')).toEqual(['ready'])
  })

  it('polling stops when the stream is ready', async () => {
    const started = clientOf({ maxReconnectFailures: 1 })
    const { client, platform } = started
    refuseStreams(503)
    await client.connect()
    server.onStream = null
    platform.clock.advance(2_000)
    await until(() => client.status.state === 'live')
    const polls = server.requests('/flags/snapshot').length

    expect(client.status).toMatchObject({ isPolling: false, lastError: null })
    platform.clock.advance(SILENCE_MS - 1)
    server.update({ type: 'UPSERT', flag: flag('last') })
    await until(() => client.isEnabled('last', 'u'))
    expect(server.requests('/flags/snapshot')).toHaveLength(polls)
  })

  it('a snapshot that arrives after the stream is ready is discarded', async () => {
    let answer: (reply: Reply) => void = () => {}
    server.onSnapshot = () =>
      new Promise((resolve) => {
        answer = resolve
      })
    refuseStreams(503)
    const { client, platform } = clientOf({ maxReconnectFailures: 1 })
    void client.connect()
    await until(() => server.requests('/flags/snapshot').length === 1)
    server.onStream = null
    platform.clock.advance(2_000)
    await until(() => client.status.state === 'live')

    answer({ status: 200, body: JSON.stringify([flag('outdated')]) })
    server.update({ type: 'UPSERT', flag: flag('last') })
    await until(() => client.isEnabled('last', 'u'))
    expect(Object.keys(client.allFlags('u'))).toEqual(['on', 'off', 'last'])
  })

  it.each([
    ['an error', { status: 503 }],
    ['a body that is not JSON', { status: 200, body: '<html>' }],
    ['a body that is not a list', { status: 200, body: '{"flags":[]}' }],
  ])('polling continues after %s, and keeps its flags', async (_title, reply) => {
    const started = await connectedClient({ maxReconnectFailures: 0 })
    const { client, platform, errors } = started
    server.onSnapshot = () => reply
    refuseStreams(503)
    server.drop()
    await until(() => errors.length === 2)

    expect(client.isEnabled('on', 'u')).toBe(true)
    await until(() => platform.clock.due().includes(POLL_INTERVAL_MS))
    expect(client.status.isPolling).toBe(true)
  })
})

describe('closing a client', () => {
  it('close() ends the stream and all timers, and evaluations continue', async () => {
    const { client, platform } = await connectedClient()
    let isOver = false
    server.streams[0]?.on('close', () => {
      isOver = true
    })
    await client.close()
    await until(() => isOver)

    expect(platform.clock.due()).toEqual([])
    expect(client.isEnabled('on', 'u')).toBe(true)
    expect(client.status.state).toBe('closed')
  })

  it('close() ends waiting and polling', async () => {
    const { client, platform, errors } = clientOf({ maxReconnectFailures: 0 })
    refuseStreams(503)
    void client.connect()
    await until(() => errors.length === 1)
    await client.close()

    expect([platform.clock.due(), client.status.isPolling]).toEqual([[], false])
  })

  it('close() may be called in a listener', async () => {
    for (const event of ['ready', 'stale', 'error'] as const) {
      const { client, platform } = clientOf({ maxReconnectFailures: 0 })
      let closed: Promise<void> | null = null
      client.on(event, () => {
        closed ??= client.close()
      })
      void client.connect()
      if (event !== 'ready') {
        await until(() => client.status.isReady)
        server.drop()
      }
      await until(() => client.status.state === 'closed')
      await closed
      expect([event, platform.clock.due()]).toEqual([event, []])
    }
  })

  it('close() may be called twice', async () => {
    const { client } = await connectedClient()
    await client.close()

    await expect(client.close()).resolves.toBeUndefined()
  })
})

describe('listeners', () => {
  it('an error of a listener reaches no caller', async () => {
    const { client } = clientOf()
    client.on('ready', () => {
      throw new Error('listener')
    })
    let isCalled = false
    client.on('ready', () => {
      isCalled = true
    })
    await client.connect()

    expect(isCalled).toBe(true)
  })

  it('listeners are removed one subscription at a time', async () => {
    const { client } = clientOf()
    let calls = 0
    const listener = () => {
      calls++
    }
    const stop = client.on('ready', listener)
    client.on('ready', listener)
    stop()
    stop()
    await client.connect()

    expect(calls).toBe(1)
  })
})
