import * as configcat from '@configcat/sdk'
import { GrowthBookClient } from '@growthbook/growthbook'
import { basicLogger, init } from '@launchdarkly/node-server-sdk'
import { TestData } from '@launchdarkly/node-server-sdk/integrations'
import { FlagdCore } from '@openfeature/flagd-core'
import { Unleash } from 'unleash-client'
import { expect, test } from 'vitest'
import type { JsonValue } from '../../src/index.ts'
import { aFlag, aStringFlag, weighted } from './builders.ts'
import { differing } from './differing-users.ts'

const NAMES = ['a', 'b', 'c']

test('LaunchDarkly places users by the hash launchdarkly', async () => {
  const source = new TestData()
  const flag = (key: string, variations: JsonValue[], weights: number[], rollout: object = {}) =>
    source.usePreconfiguredFlag({
      ...{ key, version: 1, on: true, variations, offVariation: 0, salt: 'some-salt' },
      ...{ rules: [], targets: [], prerequisites: [] },
      fallthrough: {
        rollout: { ...rollout, variations: weights.map((weight, variation) => ({ variation, weight })) },
      },
    })
  await flag('on', [true, false], [12_345, 87_655])
  await flag('theme', NAMES, [50_000, 30_000, 20_000])
  await flag('seeded', NAMES, [33_333, 33_333, 33_334], { kind: 'experiment', seed: 61 })
  const client = init('sdk-key', {
    ...{ updateProcessor: source.getFactory(), sendEvents: false, diagnosticOptOut: true },
    logger: basicLogger({ level: 'none' }),
  })
  try {
    await client.waitForInitialization({ timeout: 60 })
    const ask = (key: string) => (user: string) => client.variation(key, { kind: 'user', key: user }, null)
    const hash = 'launchdarkly'
    const on = aFlag({ key: 'on', hash, rollout_salt: 'on.some-salt.', rollout_thousandths: 12_345 })
    expect(await differing(on, ask('on'))).toEqual([])
    const theme = {
      key: 'theme',
      hash,
      variant_salt: 'theme.some-salt.',
      variants: weighted(50_000, 30_000, 20_000),
    } as const
    expect(await differing(aStringFlag(theme), ask('theme'))).toEqual([])
    const seeded = {
      key: 'seeded',
      hash,
      variant_salt: '61.',
      variants: weighted(33_333, 33_333, 33_334),
    } as const
    expect(await differing(aStringFlag(seeded), ask('seeded'))).toEqual([])
  } finally {
    client.close()
  }
})

test('Unleash places users by the specified rollout and by the hash unleash_variant', async () => {
  const feature = (name: string, stated: object) => ({
    ...{ name, enabled: true, type: 'release', project: 'default', stale: false, impressionData: false },
    ...{ strategies: [{ name: 'default', parameters: {} }], variants: [] },
    ...stated,
  })
  const rollout = (groupId: string) => [
    { name: 'flexibleRollout', parameters: { rollout: '30', stickiness: 'userId', groupId } },
  ]
  const variants = NAMES.map((name, index) => ({
    ...{ name, weight: [500, 300, 200][index], weightType: 'variable', stickiness: 'userId' },
  }))
  const unleash = new Unleash({
    ...{ appName: 'test', url: 'http://127.0.0.1:9/api/', refreshInterval: 0, disableMetrics: true },
    ...{ skipInstanceCountWarning: true, disableAutoStart: false },
    storageProvider: { get: async () => undefined, set: async () => {} },
    bootstrap: {
      // The types of the client request fields that its engine does not.
      data: [
        feature('own-group', { strategies: rollout('own-group') }),
        feature('other-group', { strategies: rollout('shop') }),
        feature('theme', { variants }),
      ] as never,
    },
  })
  // There is no server.
  unleash.on('error', () => {})
  unleash.on('warn', () => {})
  try {
    await new Promise((resolve) => unleash.once('ready', resolve))
    const isOn = (name: string) => (user: string) => unleash.isEnabled(name, { userId: user })
    expect(await differing(aFlag({ key: 'own-group', rollout_percentage: 30 }), isOn('own-group'))).toEqual(
      [],
    )
    const other = aFlag({ key: 'other-group', rollout_percentage: 30, rollout_salt: 'shop:' })
    expect(await differing(other, isOn('other-group'))).toEqual([])
    const theme = aStringFlag({
      hash: 'unleash_variant',
      variant_salt: 'theme:',
      variants: weighted(500, 300, 200),
    })
    expect(await differing(theme, (user) => unleash.getVariant('theme', { userId: user }).name)).toEqual([])
  } finally {
    unleash.destroy()
  }
})

test('GrowthBook places users by the hashes growthbook_1 and growthbook_2', async () => {
  const experiment = (hashVersion: number) => ({
    defaultValue: 'none',
    rules: [{ variations: NAMES, weights: [0.5, 0.3, 0.2], seed: 'seed', hashAttribute: 'id', hashVersion }],
  })
  const rollout = { force: true, coverage: 0.1234, hashAttribute: 'id', seed: 'seed', hashVersion: 2 }
  const client = new GrowthBookClient().initSync({
    payload: {
      features: {
        one: experiment(1) as never,
        two: experiment(2) as never,
        on: { defaultValue: false, rules: [rollout] } as never,
      },
    },
  })
  const ask = (key: string) => (user: string) =>
    client.getFeatureValue(key, null as JsonValue, { attributes: { id: user } }) as JsonValue
  for (const [key, hash] of [
    ['one', 'growthbook_1'],
    ['two', 'growthbook_2'],
  ] as const) {
    const flag = aStringFlag({ key, hash, variant_salt: 'seed', variants: weighted(5, 3, 2) })
    expect(await differing(flag, ask(key))).toEqual([])
  }
  // The coverage of a forced value includes its last step.
  const on = aFlag({ key: 'on', hash: 'growthbook_2', rollout_salt: 'seed', rollout_thousandths: 12_350 })
  expect(await differing(on, ask('on'))).toEqual([])
  client.destroy()
})

test('flagd places users by the specified variants with the salt of the flag', async () => {
  const silent = { error() {}, warn() {}, info() {}, debug() {} }
  const core = new FlagdCore(undefined, silent)
  const fractional = [
    ['a', 50],
    ['b', 30],
    ['c', 20],
  ]
  core.setConfigurations(
    JSON.stringify({
      flags: {
        theme: {
          state: 'ENABLED',
          variants: Object.fromEntries(NAMES.map((name) => [name, name])),
          defaultVariant: 'a',
          targeting: { fractional },
        },
      },
    }),
  )
  const flag = aStringFlag({ variant_salt: 'theme', variants: weighted(50, 30, 20) })
  const ask = (user: string) =>
    core.resolveStringEvaluation('theme', 'none', { targetingKey: user }, silent).value
  expect(await differing(flag, ask)).toEqual([])
})

test('ConfigCat places users by the hash configcat', async () => {
  const [BOOLEAN, TEXT] = [0, 1]
  const shares = (weights: number[]) => weights.map((p, index) => ({ p, v: { s: NAMES[index] } }))
  const config = {
    p: { u: 'http://127.0.0.1:9', r: 0, s: 'salt' },
    f: {
      theme: { t: TEXT, v: { s: 'none' }, p: shares([50, 30, 20]) },
      on: {
        ...{ t: BOOLEAN, v: { b: false } },
        p: [
          { p: 37, v: { b: true } },
          { p: 63, v: { b: false } },
        ],
      },
    },
  }
  // The cache is all that an offline client reads: a time, an ETag and the configuration.
  const cached = `${Date.now()}\n"etag"\n${JSON.stringify(config)}`
  const key = `configcat-sdk-1/${'a'.repeat(22)}/${'b'.repeat(22)}`
  const client = configcat.getClient(key, configcat.PollingMode.ManualPoll, {
    ...{ offline: true, logger: configcat.createConsoleLogger(configcat.LogLevel.Off) },
    cache: { get: async () => cached, set: async () => {} },
  })
  try {
    await client.forceRefreshAsync()
    const snapshot = client.snapshot()
    const ask = (flag: string) => (user: string) =>
      snapshot.getValue(flag, null, { identifier: user, custom: {} })
    const hash = 'configcat'
    const on = aFlag({ key: 'on', hash, rollout_salt: 'on', rollout_percentage: 37 })
    expect(await differing(on, ask('on'))).toEqual([])
    const theme = aStringFlag({ hash, variant_salt: 'theme', variants: weighted(50, 30, 20) })
    expect(await differing(theme, ask('theme'))).toEqual([])
  } finally {
    client.dispose()
  }
})
