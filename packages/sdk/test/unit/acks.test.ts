import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Client } from '../../src/client.ts'
import type { ClientOptions } from '../../src/client-options.ts'
import { SDK } from '../../src/stream/acks.ts'
import { bootstrap, type FlagServer, startFlagServer } from './support/flag-server.ts'
import { flag } from './support/flags.ts'
import { clientOf } from './support/start-client.ts'
import { until } from './support/until.ts'

let server: FlagServer
const clients: Client[] = []

beforeEach(async () => {
  server = await startFlagServer([flag('on')])
  server.onStream = (response) => {
    server.streams.push(response)
    response.writeHead(200, { 'content-type': 'text/event-stream', 'x-burgee-ack': '50;revision=7' })
    response.write(bootstrap(server.flags))
  }
  server.onIngest = () => ({ status: 204, headers: { 'x-burgee-ack': '50' } })
})
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()))
  await server.close()
})

async function connected(options: Partial<ClientOptions> = {}) {
  const start = clientOf(server, { appName: 'check out', instanceId: 'host-1', ...options })
  clients.push(start.client)
  await start.client.connect()
  return start
}

const acks = () => server.requests('/sdk/ack').map(({ body }) => JSON.parse(body))
const update = (id: number, data: object) =>
  server.send(`event: update\ndata: ${JSON.stringify(data)}\nid: ${id}\n\n`)

it('a bootstrap and the updates after it are confirmed in one message', async () => {
  const { client, platform } = await connected()
  update(8, { type: 'UPSERT', flag: flag('on', { is_enabled: false, revision: 8 }) })
  update(9, { type: 'DELETE', key: 'on' })
  await until(() => client.evaluate('on', 'ann').reason === 'FLAG_NOT_FOUND')
  expect(acks()).toEqual([])
  platform.clock.advance(50)
  await until(() => acks().length === 1)
  const [{ applied, client: id }] = acks()
  expect(applied.map(([revision]: [number]) => revision)).toEqual([7, 8, 9])
  expect(applied.every(([, heldMs]: [number, number]) => heldMs >= 0)).toBe(true)
  expect(server.requests('/stream')[0]?.headers['x-burgee-client']).toBe(
    `id=${id}, app=check%20out, sdk=${SDK}, instance=host-1`,
  )
})

it('nothing is confirmed to a server that does not ask', async () => {
  server.onStream = null
  const { client, platform } = await connected()
  update(8, { type: 'DELETE', key: 'on' })
  await until(() => client.evaluate('on', 'ann').reason === 'FLAG_NOT_FOUND')
  platform.clock.advance(10_000)
  expect(acks()).toEqual([])
})

it('a 404 ends the confirmations of a connection', async () => {
  server.onIngest = () => ({ status: 404 })
  const { client, platform } = await connected()
  platform.clock.advance(50)
  await until(() => acks().length === 1)
  // The response has arrived when a later request has its response.
  await client.track('ann', 'goal')
  await client.flush()
  update(8, { type: 'DELETE', key: 'on' })
  await until(() => client.evaluate('on', 'ann').reason === 'FLAG_NOT_FOUND')
  platform.clock.advance(10_000)
  expect(acks()).toHaveLength(1)
})

it('a client without timers names no client', async () => {
  await connected({ connection: 'manual' })
  expect(server.requests('/flags/snapshot')[0]?.headers['x-burgee-client']).toBeUndefined()
})

it('names the version of the package', () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  expect(SDK).toBe(`js/${version}`)
})
