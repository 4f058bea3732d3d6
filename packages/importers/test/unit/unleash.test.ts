import { expect, test } from 'vitest'
import { classesOf, dataFile, differences, importData } from './harness.ts'

interface Features {
  readonly features: readonly { readonly name: string }[]
  readonly segments?: readonly unknown[]
}

const POOLS = {
  $user_key: ['44113858', '95104627', '128535', '82895148', '1', '2', '123', '48755422'],
  appName: ['then', 'this', 'conduit', 'other'],
  companyId: ['1234567', '7'],
  AccountId: ['4', '5', '6'],
  pc: ['666', '678', '1'],
  country: ['1272', '1'],
  remoteAddress: ['127.0.0.1', '192.168.0.1', '10.0.0.1'],
}

test('a sandbox of 76 features gives every user what Unleash gives them', async () => {
  const data = dataFile('unleash/client-features.json') as Features
  const imported = importData('unleash', [data])
  expect(imported.report.flags).toHaveLength(76)
  expect((classesOf(imported).exact ?? 0) / 76).toBeGreaterThanOrEqual(0.85)
  expect(await differences('unleash', [data], { count: 500, pools: POOLS })).toEqual([])
})

const constraint = (contextName: string, operator: string, values: string[], further: object = {}) => ({
  ...{ contextName, operator, values, value: values[0], inverted: false, caseInsensitive: false },
  ...further,
})
const rollout = (percentage: number, further: object = {}) => ({
  name: 'flexibleRollout',
  parameters: { rollout: String(percentage), stickiness: 'userId', groupId: 'g' },
  constraints: [],
  ...further,
})
const feature = (name: string, strategies: readonly object[], further: object = {}) => ({
  ...{ name, enabled: true, type: 'release', project: 'default', stale: false, impressionData: false },
  ...{ strategies, variants: [] },
  ...further,
})
const variants = (names: readonly string[], further: object = {}) =>
  names.map((name, index) => ({
    ...{
      name,
      weight: index === 0 ? 700 : 300 / (names.length - 1),
      weightType: 'variable',
      stickiness: 'userId',
    },
    ...further,
  }))

test('strategies, constraints, segments and variants of every kind do', async () => {
  const data: Features = {
    features: [
      ...['IN', 'NOT_IN', 'STR_CONTAINS', 'STR_STARTS_WITH', 'STR_ENDS_WITH'].flatMap((operator) =>
        [
          {},
          { inverted: true },
          { caseInsensitive: operator.startsWith('STR') },
          { inverted: true, caseInsensitive: true },
        ].map((further, index) =>
          feature(`${operator}-${index}`, [
            {
              name: 'default',
              parameters: {},
              constraints: [
                constraint(
                  'plan',
                  operator,
                  ['pro', 'team'],
                  operator.startsWith('STR') ? further : { inverted: index % 2 === 1 },
                ),
              ],
            },
          ]),
        ),
      ),
      ...['NUM_EQ', 'NUM_GT', 'NUM_GTE', 'NUM_LT', 'NUM_LTE'].flatMap((operator) =>
        ['18', '0', '-1', '', ' 18 ', '0x12', 'none'].flatMap((value) =>
          [false, true].map((inverted) =>
            feature(`${operator}-${value}-${inverted}`, [
              {
                name: 'default',
                parameters: {},
                constraints: [constraint('age', operator, [value], { inverted })],
              },
            ]),
          ),
        ),
      ),
      ...['SEMVER_EQ', 'SEMVER_GT', 'SEMVER_LT'].flatMap((operator) =>
        [false, true].map((inverted) =>
          feature(`${operator}-${inverted}`, [
            {
              name: 'default',
              parameters: {},
              constraints: [constraint('version', operator, ['2.1.0'], { inverted })],
            },
          ]),
        ),
      ),
      feature('empty-not-in', [
        { name: 'default', parameters: {}, constraints: [constraint('plan', 'NOT_IN', [])] },
      ]),
      feature('no-strategies', []),
      feature('off', [{ name: 'default', parameters: {} }], { enabled: false }),
      feature('on-beside-a-variant-for-no-one', [
        { name: 'gradualRolloutSessionId', parameters: { percentage: '100', groupId: 'g' } },
        { ...rollout(0), variants: [{ name: 'a', weight: 1000, stickiness: 'userId' }] },
      ]),
      feature('several-rollouts', [
        rollout(20),
        rollout(40),
        rollout(10, { parameters: { rollout: '10', stickiness: 'userId', groupId: 'other' } }),
      ]),
      ...['c', 'd', 'e', 'f'].map((groupId) =>
        feature(`by-company-${groupId}`, [
          rollout(50, { parameters: { rollout: '50', stickiness: 'company', groupId } }),
        ]),
      ),
      feature('all-with-company', [
        rollout(100, { parameters: { rollout: '100', stickiness: 'company', groupId: 'c' } }),
      ]),
      feature('constrained-rollout', [
        rollout(30, { constraints: [constraint('plan', 'IN', ['pro'])] }),
        rollout(5),
      ]),
      feature('variants', [rollout(60)], { variants: variants(['a', 'b', 'c']) }),
      feature('payloads', [rollout(100)], {
        variants: variants(['a', 'b'], { payload: { type: 'string', value: 'text' } }),
      }),
      feature('own-variants', [
        rollout(50, { constraints: [constraint('plan', 'IN', ['pro'])], variants: variants(['x', 'y']) }),
        rollout(80, { variants: variants(['z', 'w']) }),
      ]),
      feature('overrides', [rollout(70)], {
        variants: [
          {
            name: 'a',
            weight: 500,
            stickiness: 'userId',
            overrides: [{ contextName: 'plan', values: ['pro'] }],
          },
          {
            name: 'b',
            weight: 500,
            stickiness: 'userId',
            overrides: [{ contextName: 'userId', values: ['user-1', 'user-5'] }],
          },
        ],
      }),
      feature('in-segment', [{ name: 'default', parameters: {}, constraints: [], segments: [1] }]),
      feature('in-two-segments', [rollout(50, { segments: [1, 2] })]),
      feature('child', [{ name: 'default', parameters: {} }], {
        dependencies: [{ feature: 'several-rollouts' }],
      }),
      feature('child-of-variant', [{ name: 'default', parameters: {} }], {
        dependencies: [{ feature: 'variants', enabled: true, variants: ['a'] }],
      }),
    ],
    segments: [
      { id: 1, constraints: [constraint('plan', 'IN', ['pro']), constraint('age', 'NUM_GT', ['20'])] },
      { id: 2, constraints: [constraint('plan', 'STR_STARTS_WITH', ['p'], { inverted: true })] },
    ],
  }
  const imported = importData('unleash', [data])
  expect(imported.report.flags.filter((flag) => flag.class !== 'exact')).toEqual([])
  const pools = {
    plan: ['pro', 'team', 'PRO', 'free', 'professional', 'my pro', ''],
    age: [17, 18, 19, 25, '18', '30', '', null],
    version: ['2.1.0', '2.0.9', '2.1.1', '2.1.0-beta', '10.0.0', 'none', 'v2.1.0', 'v2.1', '2.1', '2', ''],
    company: ['a', 'b', 'c', 'd', 'e', ''],
  }
  expect(await differences('unleash', [data], { count: 1_000, pools })).toEqual([])
})

test('a feature with a segment that the file only names is not written', () => {
  const data = {
    features: [{ name: 'a' }],
    featureStrategies: [
      { featureName: 'a', name: 'default', parameters: {}, constraints: [], segments: [7] },
    ],
    featureEnvironments: [{ featureName: 'a', environment: 'production', enabled: true }],
    segments: [{ id: 7, name: 'beta' }],
  }
  const without = importData('unleash', [data])
  expect(without.environments[0]?.flags).toEqual([])
  expect(without.report.flags[0]).toMatchObject({ class: 'skipped', notes: [{ code: 'segment_missing' }] })
  const segments = { segments: [{ id: 7, name: 'beta', constraints: [constraint('plan', 'IN', ['pro'])] }] }
  const given = importData('unleash', [data, segments])
  expect(given.report.flags[0]).toMatchObject({ class: 'exact' })
  expect(given.environments[0]?.flags[0]?.rules).toEqual([{ segment_key: 'beta' }])
})

test('what changes with the clock, by chance, or by own code is approximated, with the reason', () => {
  const data = {
    features: [
      feature('clock', [
        {
          name: 'default',
          parameters: {},
          constraints: [constraint('currentTime', 'DATE_AFTER', ['2030-01-01T00:00:00Z'])],
        },
      ]),
      feature('random', [{ name: 'gradualRolloutRandom', parameters: { percentage: '30' } }]),
      feature('custom', [{ name: 'our-own', parameters: {} }]),
      feature('cidr', [
        {
          name: 'default',
          parameters: {},
          constraints: [constraint('remoteAddress', 'IN_CIDR', ['10.0.0.0/8'])],
        },
      ]),
    ],
  }
  const { report } = importData('unleash', [data])
  expect(report.flags.map((flag) => [flag.key, flag.class, flag.notes[0]?.code])).toEqual([
    ['clock', 'approximated', 'clock'],
    ['random', 'approximated', 'random'],
    ['custom', 'approximated', 'strategy'],
    ['cidr', 'approximated', 'ip_range'],
  ])
})

test('an operator with the name of a field of every object is unknown', () => {
  const constraint = { contextName: 'plan', operator: 'toString', inverted: true, values: ['x'], value: 'x' }
  for (const operator of ['constructor', 'toString', '__proto__', 'valueOf']) {
    const { report } = importData('unleash', [
      {
        features: [
          {
            ...{ name: 'panel', enabled: true },
            strategies: [{ name: 'default', constraints: [{ ...constraint, operator }] }],
          },
        ],
      },
    ])
    expect(report.flags[0]).toMatchObject({ class: 'approximated', notes: [{ code: 'operator' }] })
  }
})
