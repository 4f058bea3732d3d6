import { describe, expect, it } from 'vitest'
import type { Client } from '../../src/client.ts'
import type { ClientOptions, EvaluationEvent } from '../../src/client-options.ts'
import { createClient } from '../../src/create-client.ts'
import { createClientOn } from '../../src/create-client-on.ts'
import { flag, stringFlag } from './support/flags.ts'
import { testPlatform } from './support/test-platform.ts'

const noNetwork: typeof fetch = () => {
  throw new Error('the network was touched')
}

function offlineClient(options: Partial<ClientOptions> = {}): Client {
  return createClientOn(testPlatform({ fetch: noNetwork }), {
    url: '',
    sdkKey: '',
    offline: true,
    ...options,
  })
}

describe('createClient', () => {
  it.each([[{ url: '', sdkKey: 'sk_live_x' }], [{ url: 'http://127.0.0.1', sdkKey: '' }]])(
    'createClient requires an address and a key: %o',
    (options) => {
      expect(() => createClient(options)).toThrow(TypeError)
    },
  )

  it('a client does nothing before connect()', () => {
    const { status } = createClient({ url: 'http://127.0.0.1:1', sdkKey: 'k', fetch: noNetwork })

    expect(status).toMatchObject({
      state: 'idle',
      isReady: false,
      environmentId: null,
      flagCount: 0,
      lastError: null,
    })
  })
})

describe('evaluations of a client', () => {
  const client = offlineClient({
    bootstrap: [
      flag('on'),
      flag('backwards', { default_value: false, disabled_value: true }),
      flag('half', { rollout_percentage: 50 }),
      flag('pros', {
        rollout_percentage: 0,
        rules: [{ attribute: 'plan', operator: 'equals', values: ['pro'] }],
      }),
      stringFlag('colour', 'blue'),
      stringFlag('empty', null),
      flag('json', { flag_type: 'json', default_value: false, disabled_value: true }),
    ],
  })

  it('isEnabled is the value of boolean flags, and for others whether the flag is enabled', () => {
    expect(
      ['on', 'backwards', 'colour', 'empty', 'json', 'unknown'].map((key) => client.isEnabled(key, 'u')),
    ).toEqual([true, false, true, true, true, false])
  })

  it('getVariant gives the value, or the fallback for unknown flags and flags without a value', () => {
    expect(client.getVariant('colour', 'u', {}, 'red')).toBe('blue')
    expect(client.getVariant('empty', 'u', {}, 'red')).toBe('red')
    expect(client.getVariant('unknown', 'u', {}, 'red')).toBe('red')
    expect(client.getVariant('unknown', 'u')).toBe(null)
    expect(client.getVariant('json', 'u', {}, true)).toBe(false)
  })

  it('evaluations pass attributes to the rules', () => {
    expect(client.isEnabled('pros', 'u', { plan: 'pro' })).toBe(true)
    expect(client.isEnabled('pros', 'u', { plan: 'free' })).toBe(false)
  })

  it('evaluations have reasons', () => {
    expect(client.evaluate('on', 'u')).toEqual({
      value: true,
      enabled: true,
      reason: 'STATIC',
      variant: 'true',
    })
    expect(client.evaluate('pros', 'u', { plan: 'pro' })).toMatchObject({
      reason: 'TARGETING_MATCH',
      rule_index: 0,
    })
    expect(client.evaluate('unknown', 'u', {}, 7)).toEqual({
      value: 7,
      enabled: false,
      reason: 'FLAG_NOT_FOUND',
    })
  })

  it('allFlags gives all values by key', () => {
    expect(client.allFlags('u', { plan: 'pro' })).toMatchObject({
      on: true,
      pros: true,
      colour: 'blue',
      empty: null,
    })
  })

  const hostile: unknown[] = [
    undefined,
    null,
    0,
    Number.NaN,
    Symbol('x'),
    10n,
    {},
    [],
    () => {},
    new Proxy(
      {},
      {
        get: () => {
          throw new Error('hostile')
        },
        ownKeys: () => {
          throw new Error('hostile')
        },
      },
    ),
    Object.create(null),
  ]
  it('no evaluation throws, whatever its arguments', () => {
    for (const flagKey of [...hostile, 'pros', 'half']) {
      for (const userKey of hostile) {
        for (const attributes of hostile) {
          const call = [flagKey, userKey, attributes] as never[]
          expect(typeof Reflect.apply(client.isEnabled, client, call)).toBe('boolean')
          expect(() => Reflect.apply(client.getVariant, client, call)).not.toThrow()
          expect(() => Reflect.apply(client.evaluate, client, [...call, Symbol('fallback')])).not.toThrow()
        }
      }
    }
    for (const userKey of hostile) {
      for (const attributes of hostile) {
        expect(() => Reflect.apply(client.allFlags, client, [userKey, attributes])).not.toThrow()
      }
    }
  })
})

describe('overrides', () => {
  const client = offlineClient({
    bootstrap: [flag('on'), stringFlag('colour', 'blue')],
    overrides: { on: false, colour: 'green', extra: true, nothing: null, count: 0 },
  })

  it('overrides have priority over everything else', () => {
    expect(client.isEnabled('on', 'u')).toBe(false)
    expect(client.getVariant('colour', 'u')).toBe('green')
    expect(client.isEnabled('colour', 'u')).toBe(true)
    expect(client.isEnabled('extra', 'u')).toBe(true)
    expect(client.getVariant('count', 'u', {}, 5)).toBe(0)
  })

  it("a null override means the caller's fallback", () => {
    expect(client.getVariant('nothing', 'u', {}, 'mine')).toBe('mine')
    expect(client.isEnabled('nothing', 'u')).toBe(false)
  })

  it('allFlags includes overrides', () => {
    expect(client.allFlags('u')).toEqual({ on: false, colour: 'green', extra: true, nothing: null, count: 0 })
  })

  it('inherited properties are not overrides', () => {
    expect(client.evaluate('constructor', 'u').reason).toBe('FLAG_NOT_FOUND')
  })
})

describe('onEvaluation', () => {
  it("onEvaluation receives each evaluation with the caller's result", () => {
    const events: EvaluationEvent[] = []
    const client = offlineClient({ bootstrap: [flag('on')], onEvaluation: (event) => events.push(event) })
    client.isEnabled('on', 'u', { plan: 'pro' })
    client.getVariant('unknown', null, undefined, 'mine')
    client.allFlags('u')

    expect(events).toEqual([
      {
        flagKey: 'on',
        userKey: 'u',
        attributes: { plan: 'pro' },
        evaluation: { value: true, enabled: true, reason: 'STATIC', variant: 'true' },
        environmentId: null,
        revision: 1,
      },
      {
        flagKey: 'unknown',
        userKey: null,
        attributes: undefined,
        evaluation: { value: 'mine', enabled: false, reason: 'FLAG_NOT_FOUND' },
        environmentId: null,
        revision: 1,
      },
    ])
  })

  it('an error of onEvaluation does not reach the caller', () => {
    const client = offlineClient({
      bootstrap: [flag('on')],
      onEvaluation: () => {
        throw new Error('hook')
      },
    })

    expect(client.isEnabled('on', 'u')).toBe(true)
  })
})

describe('offline', () => {
  it('an offline client never uses the network', async () => {
    const platform = testPlatform({ fetch: noNetwork })
    const client = createClientOn(platform, { url: '', sdkKey: '', offline: true, bootstrap: [flag('on')] })
    const events: string[] = []
    client.on('ready', () => events.push('ready'))
    client.on('error', () => events.push('error'))

    await client.connect()
    await client.connect()
    expect(client.isEnabled('on', 'u')).toBe(true)
    client.track('bought', 'u', { value: 1 })
    platform.clock.advance(60_000)
    await client.flush()
    await client.close()

    expect(events).toEqual(['ready'])
    expect(client.status).toMatchObject({
      state: 'offline',
      isReady: true,
      impressions: { pending: 0, dropped: 0 },
      goals: { pending: 0, dropped: 0 },
    })
  })
})
