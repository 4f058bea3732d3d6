import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ClientOptions } from '../../src/client-options.ts'
import { SAVE_DELAY_MS, SAVE_TIMEOUT_MS } from '../../src/flag-cache.ts'
import { REQUEST_TIMEOUT_MS } from '../../src/request.ts'
import { type FlagServer, startFlagServer } from './support/flag-server.ts'
import { flag } from './support/flags.ts'
import { clientOf, type StartedClient } from './support/start-client.ts'
import { until } from './support/until.ts'

const FLUSH_TIMEOUT_MS = 30_000

let server: FlagServer
const clients: StartedClient[] = []

beforeEach(async () => {
  server = await startFlagServer([flag('on')])
})
afterEach(async () => {
  const closing = clients.splice(0).map(({ client, platform }) => {
    const closed = client.close()
    platform.clock.advance(SAVE_TIMEOUT_MS)
    return closed
  })
  await Promise.all(closing)
  await server.close()
})

function started(options: Partial<ClientOptions> = {}): StartedClient {
  const start = clientOf(server, options)
  clients.push(start)
  return start
}

const never = () => new Promise<never>(() => {})

/** A transport that ignores the signal, and never ends requests whose path ends with `pathEnd`. */
function deaf(pathEnd: string) {
  const hung: AbortSignal[] = []
  const transport = ((input: string, init: RequestInit) => {
    if (!input.endsWith(pathEnd)) return fetch(input, init)
    if (init.signal) hung.push(init.signal)
    return never()
  }) as typeof fetch
  return { transport, hung }
}

/**
 * Advances the clock step by step until the promise has settled. Real requests get their time in between.
 */
async function settled(promise: Promise<unknown>, { platform }: StartedClient) {
  let state: 'pending' | 'resolved' | 'rejected' = 'pending'
  promise.then(
    () => {
      state = 'resolved'
    },
    () => {
      state = 'rejected'
    },
  )
  await until(() => {
    platform.clock.advance(100)
    return state !== 'pending'
  })
  return state
}

describe('a cache whose save never ends', () => {
  const hanging = () => {
    const saves: string[] = []
    const cache = {
      load: async () => null,
      save(text: string) {
        saves.push(text)
        return never()
      },
    }
    return { cache, saves }
  }

  it('close() resolves, and the error says that the cache is not saved', async () => {
    const { cache, saves } = hanging()
    const start = started({ cache })
    await start.client.connect()

    expect(await settled(start.client.close(), start)).toBe('resolved')
    expect(saves).toHaveLength(1)
    expect(start.errors.map(({ message }) => message)).toEqual([
      'the cache cannot be saved: Error: no end within 3000 ms',
    ])
  })

  it('refresh() of a manual client resolves, and further texts do not gather', async () => {
    const { cache, saves } = hanging()
    const start = started({ cache, connection: 'manual' })
    for (let nth = 0; nth < 5; nth += 1) {
      server.flags = [{ ...flag('on'), revision: nth + 2, is_enabled: nth % 2 === 0 }]
      expect(await settled(start.client.refresh(), start)).toBe('resolved')
    }
    expect(saves).toHaveLength(1)
  })

  it('the newest flags are saved when the save before ends late', async () => {
    const saves: string[] = []
    let end = () => {}
    const cache = {
      load: async () => null,
      save(text: string) {
        saves.push(text)
        return new Promise<void>((resolve) => {
          end = resolve
        })
      },
    }
    const start = started({ cache })
    const { client, platform, updates } = start
    await client.connect()
    platform.clock.advance(SAVE_DELAY_MS)
    await until(() => saves.length === 1)
    for (const revision of [2, 3, 4]) {
      const next = { ...flag('on'), revision, is_enabled: revision !== 4 }
      server.update({ type: 'UPSERT', env_id: 'e', flag: next })
      await until(() => updates.length === revision - 1)
      platform.clock.advance(SAVE_DELAY_MS)
    }
    end()
    await until(() => saves.length === 2)
    expect(JSON.parse(saves[1] ?? '').flags).toMatchObject([{ revision: 4 }])
    end()
    expect(await settled(client.close(), start)).toBe('resolved')
    expect(saves).toHaveLength(2)
  })
})

describe('a transport that never settles and ignores its signal', () => {
  it.each(['poll', 'manual'] as const)(
    'a snapshot with connection: %s ends, and the next is requested',
    async (kind) => {
      const { transport, hung } = deaf('/flags/snapshot')
      const start = started({ connection: kind, fetch: transport })
      const { client, platform } = start
      const asked = kind === 'manual' ? client.connect() : client.refresh()

      expect(await settled(asked, start)).toBe('rejected')
      expect(hung[0]?.aborted).toBe(true)
      if (kind === 'poll') {
        // The client polls from now on, although it has refreshed before.
        void client.connect()
        expect(
          await settled(
            until(() => hung.length >= 3),
            start,
          ),
        ).toBe('resolved')
      } else {
        expect(await settled(client.refresh(), start)).toBe('rejected')
        expect([hung.length, platform.clock.due()]).toEqual([2, []])
      }
    },
  )

  it('flush() resolves after the time of one request, and the report is sent again', async () => {
    const { transport, hung } = deaf('/impressions')
    const start = started({ fetch: transport })
    await start.client.connect()
    start.client.isEnabled('on', 'u')

    expect(await settled(start.client.flush(), start)).toBe('resolved')
    expect(hung[0]?.aborted).toBe(true)
    expect(start.client.status.impressions).toEqual({ pending: 1, dropped: 0 })
    expect(
      await settled(
        until(() => hung.length === 2),
        start,
      ),
    ).toBe('resolved')
  })

  it('flush() of many slow requests resolves after 30 s, and the rest is sent later', async () => {
    const slow: (() => void)[] = []
    const transport = ((input: string, init: RequestInit) =>
      input.endsWith('/impressions')
        ? new Promise((resolve) => slow.push(() => resolve(fetch(input, init))))
        : fetch(input, init)) as typeof fetch
    const start = started({ fetch: transport })
    const { client, platform } = start
    await client.connect()
    for (let nth = 0; nth < 5_000; nth += 1) client.isEnabled('on', `u${nth}`)
    let isFlushed = false
    const flushed = client.flush().then(() => {
      isFlushed = true
    })
    let ms = 0
    for (; !isFlushed && ms < 2 * FLUSH_TIMEOUT_MS; ms += REQUEST_TIMEOUT_MS - 1_000) {
      await until(() => slow.length > 0 || isFlushed)
      platform.clock.advance(REQUEST_TIMEOUT_MS - 1_000)
      slow.splice(0).forEach((end) => void end())
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    await flushed
    expect(ms).toBeLessThan(2 * FLUSH_TIMEOUT_MS)
    const left = client.status.impressions.pending
    expect(left).toBeGreaterThan(0)
    await until(() => {
      slow.splice(0).forEach((end) => void end())
      return client.status.impressions.pending < left
    })
  })

  it('flush() and close() end while unknown flags are not accepted', async () => {
    const { transport, hung } = deaf('/sdk/ack')
    const start = started({ connection: 'manual', fetch: transport })
    await start.client.connect()
    start.client.isEnabled('unknown', 'u')

    expect(await settled(start.client.flush(), start)).toBe('resolved')
    expect(hung[0]?.aborted).toBe(true)
    expect(await settled(start.client.close(), start)).toBe('resolved')
  })

  it('a confirmation ends, so that they do not gather', async () => {
    const { transport, hung } = deaf('/sdk/ack')
    server.onStream = (response) => {
      response.setHeader('x-burgee-ack', '50;revision=1')
      server.onStream = null
      server.streams.push(response)
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const connected = JSON.stringify({ environment_id: '3f0c1c5e-6d3c-4a8e-9d0e-0a6c6a1f2b11' })
      response.write(`event: connected\ndata: ${connected}\n\nevent: ready\ndata: 0\n\n`)
    }
    const start = started({ fetch: transport })
    await start.client.connect()

    expect(
      await settled(
        until(() => hung[0]?.aborted === true),
        start,
      ),
    ).toBe('resolved')
  })

  it('close() resolves while nothing is answered at all', async () => {
    const hang = (() => never()) as typeof fetch
    const cache = { load: never, save: never }
    const start = started({ fetch: hang, cache, bootstrap: [flag('on')] })
    const connecting = start.client.connect({ timeoutMs: 500 })
    expect(await settled(connecting, start)).toBe('rejected')
    start.client.track('bought', 'u')

    expect(await settled(start.client.close(), start)).toBe('resolved')
  })

  it('refresh() ends when the client is closed meanwhile', async () => {
    const { transport } = deaf('/flags/snapshot')
    const { client, platform } = started({ connection: 'manual', fetch: transport })
    const refreshing = client.refresh()
    await client.close()
    await expect(refreshing).rejects.toThrow()
    expect(platform.clock.due()).toEqual([])
  })
})
