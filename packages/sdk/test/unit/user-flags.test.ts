import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Client } from '../../src/client.ts'
import type { ClientOptions } from '../../src/client-options.ts'
import { type FlagServer, startFlagServer } from './support/flag-server.ts'
import { flag, stringFlag } from './support/flags.ts'
import { clientOf, type StartedClient } from './support/start-client.ts'
import { until } from './support/until.ts'

const json = (key: string, value: object, revision = 1) =>
  flag(key, { flag_type: 'json', default_value: { ...value }, disabled_value: null, revision })
const pros = flag('pros', {
  rollout_percentage: 0,
  rules: [{ attribute: 'plan', operator: 'equals', values: ['pro'] }],
})
const FLAGS = [
  flag('on'),
  flag('off', { is_enabled: false }),
  stringFlag('colour', 'blue'),
  stringFlag('empty', null),
  json('limits', { seats: 3 }),
  pros,
  flag('child', { prerequisites: [{ flag_key: 'on' }] }),
]

let server: FlagServer
const clients: Client[] = []

beforeEach(async () => {
  server = await startFlagServer([...FLAGS])
})
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()))
  await server.close()
})

function started(options: Partial<ClientOptions> = {}): StartedClient {
  const start = clientOf(server, options)
  clients.push(start.client)
  return start
}

async function connected(options?: Partial<ClientOptions>): Promise<StartedClient> {
  const start = started(options)
  await start.client.connect()
  return start
}

async function change(client: Client, changed: object): Promise<void> {
  const before = client.status.revision
  server.update({ type: 'UPSERT', flag: { ...changed, revision: before + 1 } })
  await until(() => client.status.revision > before)
}

describe('the flags of one user', () => {
  it('the flags of a user have the results of the client', async () => {
    const { client } = await connected()
    const flags = client.forUser('u', { plan: 'pro' })

    expect(['on', 'off', 'colour', 'empty', 'pros', 'unknown'].map((key) => flags.isEnabled(key))).toEqual([
      true,
      false,
      true,
      true,
      true,
      false,
    ])
    expect(flags.getVariant('colour', 'red')).toBe('blue')
    expect(flags.getVariant('empty', 'red')).toBe('red')
    expect(flags.getVariant('unknown')).toBe(null)
    expect(flags.evaluate('pros')).toEqual(client.evaluate('pros', 'u', { plan: 'pro' }))
    expect(flags.evaluate('pros')).toMatchObject({ reason: 'TARGETING_MATCH', variant: 'true' })
    expect(flags.all()).toEqual(client.allFlags('u', { plan: 'pro' }))
    expect(flags.inspect()).toMatchObject({ pros: client.evaluate('pros', 'u', { plan: 'pro' }), empty: {} })
    expect([flags.userKey, flags.attributes]).toEqual(['u', { plan: 'pro' }])
  })

  it('results stay the same objects until they change', async () => {
    const { client } = await connected()
    const flags = client.forUser('u')
    const [value, all, other] = [flags.getVariant('limits'), flags.all(), flags.evaluate('on')]
    const merged = flags.evaluate('empty', ['mine'])

    await change(client, { ...json('limits', { seats: 3 }), description: 'a new text' })
    expect(flags.getVariant('limits')).toBe(value)
    expect(flags.all()).toBe(all)
    expect(flags.evaluate('on')).toBe(other)
    expect(flags.evaluate('empty', ['mine'])).toBe(merged)

    await change(client, json('limits', { seats: 4 }))
    expect(flags.getVariant('limits')).toEqual({ seats: 4 })
    expect(flags.all()).not.toBe(all)
    expect(flags.evaluate('on')).toBe(other)
    expect(Object.isFrozen(flags.all())).toBe(true)
  })

  it('an update names the flags with another result, dependent ones included', async () => {
    const { client } = await connected()
    const flags = client.forUser('u')
    flags.isEnabled('on')
    flags.isEnabled('child')
    flags.getVariant('colour')
    flags.isEnabled('pros')
    const updates: string[][] = []
    const stop = flags.on('update', ({ flagKeys }) => updates.push([...flagKeys].sort()))

    // The rule is for other users.
    await change(client, { ...pros, rules: [{ attribute: 'plan', operator: 'equals', values: ['max'] }] })
    expect(updates).toEqual([])
    await change(client, flag('on', { is_enabled: false }))
    expect(updates).toEqual([['child', 'on']])
    await change(client, flag('not-read'))
    expect(updates.slice(1)).toEqual([['not-read']])

    stop()
    await change(client, flag('on'))
    expect(updates).toHaveLength(2)
  })

  it('a result that was read before the event is named all the same', async () => {
    const { client } = await connected()
    const flags = client.forUser('u')
    flags.isEnabled('on')
    client.on('update', () => flags.isEnabled('on'))
    const updates: unknown[] = []
    flags.on('update', ({ flagKeys }) => updates.push(flagKeys))

    await change(client, flag('on', { is_enabled: false }))
    expect(updates).toEqual([['on']])
  })

  it('the first flags are a change for those who read before', async () => {
    const { client } = started()
    const flags = client.forUser('u')
    expect(flags.isEnabled('on')).toBe(false)
    const updates: (readonly string[])[] = []
    flags.on('update', ({ flagKeys }) => updates.push(flagKeys))
    await client.connect()

    expect(updates).toHaveLength(1)
    expect(updates[0]).toContain('on')
    expect(flags.isEnabled('on')).toBe(true)
  })

  it('setUser changes the user, and names what has changed', async () => {
    const { client } = await connected()
    const flags = client.forUser('u', { plan: 'free' })
    flags.isEnabled('on')
    flags.isEnabled('pros')
    const updates: unknown[] = []
    flags.on('update', ({ flagKeys }) => updates.push(flagKeys))

    flags.setUser('u', { plan: 'free' })
    expect(updates).toEqual([])
    flags.setUser('v', { plan: 'pro' })
    expect(updates).toEqual([['pros']])
    expect([flags.userKey, flags.isEnabled('pros')]).toEqual(['v', true])
  })

  it('close ends all subscriptions and leaves the flags readable', async () => {
    const { client } = await connected()
    const flags = client.forUser('u')
    const updates: unknown[] = []
    flags.on('update', (update) => updates.push(update))
    flags.on('update', (update) => updates.push(update))
    flags.close()

    await change(client, flag('on', { is_enabled: false }))
    expect([updates, flags.isEnabled('on')]).toEqual([[], false])
  })

  it('no argument makes the flags of a user throw', () => {
    const { client } = started()
    const circular: Record<string, unknown> = {}
    circular.self = circular
    for (const hostile of [Symbol('x'), 10n, circular, null, undefined, () => {}] as never[]) {
      const flags = client.forUser(hostile, hostile, { initial: { values: hostile, revision: hostile } })
      expect(() => flags.setUser(hostile, hostile)).not.toThrow()
      expect(flags.isEnabled(hostile)).toBe(false)
      expect(() => flags.evaluate(hostile, hostile)).not.toThrow()
      expect(() => [flags.all(), flags.dehydrate()]).not.toThrow()
    }
  })
})

describe('reports of the flags of one user', () => {
  it('a result is reported once until it changes', async () => {
    const { client } = await connected()
    const flags = client.forUser('u')
    for (let count = 0; count < 3; count++) {
      flags.isEnabled('on')
      flags.getVariant('empty', 'mine')
    }
    flags.all()
    flags.inspect()
    flags.dehydrate()
    await change(client, flag('on', { is_enabled: false }))
    flags.isEnabled('on')
    flags.setUser('v')
    flags.isEnabled('on')
    flags.track('bought', { value: 2 })
    await client.flush()

    expect(server.ingested('/impressions').flat()).toMatchObject([
      { flag_key: 'on', user_id: 'u', value: 'true' },
      { flag_key: 'empty', user_id: 'u', value: 'mine' },
      { flag_key: 'on', user_id: 'u', value: 'false' },
      { flag_key: 'on', user_id: 'v', value: 'false' },
    ])
    expect(server.ingested('/events').flat()).toMatchObject([{ event_key: 'bought', user_id: 'v', value: 2 }])
  })
})

describe('values of the server for the browser', () => {
  it('dehydrate has values without rules, and the revision', async () => {
    const { client } = await connected()
    const flags = client.forUser('u', { plan: 'pro' })

    const text = JSON.stringify(flags.dehydrate())
    expect(JSON.parse(text)).toEqual({
      values: client.allFlags('u', { plan: 'pro' }),
      revision: 1,
      // A string flag without a value is enabled all the same.
      enabled: { empty: true },
    })
    expect(flags.dehydrate(['on', 'off'])).toEqual({ values: { on: true, off: false }, revision: 1 })
  })

  it('the initial values are those of the server until the first flags', async () => {
    const onServer = (await connected()).client.forUser('u', { plan: 'pro' })
    const initial = JSON.parse(JSON.stringify(onServer.dehydrate()))
    const { client } = started()
    const inBrowser = client.forUser('u', { plan: 'pro' }, { initial })
    const updates: (readonly string[])[] = []
    inBrowser.on('update', ({ flagKeys }) => updates.push(flagKeys))

    for (const { key } of FLAGS) {
      expect([inBrowser.isEnabled(key), inBrowser.getVariant(key)]).toEqual([
        onServer.isEnabled(key),
        onServer.getVariant(key),
      ])
    }
    expect([inBrowser.all(), inBrowser.dehydrate()]).toEqual([onServer.all(), initial])
    const value = inBrowser.getVariant('limits')

    server.flags = server.flags.map((each) => (each.key === 'off' ? flag('off') : each))
    await client.connect()
    expect(updates.flat()).toContain('off')
    expect(inBrowser.isEnabled('off')).toBe(true)
    expect(inBrowser.getVariant('limits')).toBe(value)
    await client.flush()
    expect(server.ingested('/impressions').flat()).toMatchObject([
      { flag_key: 'off' },
      { flag_key: 'limits' },
    ])
  })

  it('the initial values are not those of another user, and overrides have priority', () => {
    const { client } = started({ overrides: { on: false } })
    const initial = { values: { on: true, off: true }, revision: 7 }
    const flags = client.forUser('u', {}, { initial })
    flags.setUser('u')
    expect([flags.isEnabled('on'), flags.isEnabled('off'), flags.dehydrate().revision]).toEqual([
      false,
      true,
      7,
    ])

    flags.setUser('v')
    expect(flags.isEnabled('off')).toBe(false)
  })
})

describe('overrides while the program runs', () => {
  it('setOverrides replaces those of the last call, beside the option', async () => {
    const { client, updates } = await connected({ overrides: { off: true } })
    const flags = client.forUser('u')
    flags.isEnabled('on')
    const changes: (readonly string[])[] = []
    flags.on('update', ({ flagKeys }) => changes.push([...flagKeys].sort()))

    client.setOverrides({ on: false, off: 'no' })
    expect([flags.isEnabled('on'), flags.getVariant('off'), client.getVariant('on', 'u')]).toEqual([
      false,
      'no',
      false,
    ])
    client.setOverrides({ colour: 'green' })
    expect([flags.isEnabled('on'), flags.getVariant('off'), flags.getVariant('colour')]).toEqual([
      true,
      true,
      'green',
    ])
    expect(updates.map((keys) => [...keys].sort())).toEqual([
      ['off', 'on'],
      ['colour', 'off', 'on'],
    ])
    expect(changes).toEqual([
      ['off', 'on'],
      ['colour', 'off', 'on'],
    ])
    client.setOverrides({})
    expect(client.allFlags('u')).toMatchObject({ colour: 'blue', off: true })
  })
})

it('metadata of a flag is an object, empty without metadata', async () => {
  server.flags = [flag('with', { metadata: { team: 'web' } }), flag('without')]
  const { client } = await connected({ aliases: { old: 'with' } })

  expect(client.getMetadata('old')).toEqual({ team: 'web' })
  expect([client.getMetadata('with'), client.getMetadata('without'), client.getMetadata('no')]).toEqual([
    { team: 'web' },
    {},
    {},
  ])
})
