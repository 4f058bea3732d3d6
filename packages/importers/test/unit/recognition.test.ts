import { IMPORT_REQUESTS } from '@burgee/contract'
import { expect, test } from 'vitest'
import { IMPORT_SYSTEMS, type ImportSystem, importFiles, parseFile, UnreadableFile } from '../../src/index.ts'
import { importData } from './harness.ts'

const STATE = { on: true, fallthrough: { variation: 0 }, offVariation: 1 }
const LD_FLAG = { key: 'a', variations: [{ value: true }, { value: false }] }
const STRATEGY = { name: 'default', parameters: {} }
const FLAGD_FLAG = { state: 'ENABLED', variants: { on: true, off: false }, defaultVariant: 'on' }
const GB_RULE = { type: 'force', value: 'true', condition: '{"plan": "pro"}' }
const GB_FEATURE = { id: 'a', valueType: 'boolean', defaultValue: 'false' }
const FEATURE_STATE = { feature: { name: 'a' }, enabled: true, feature_state_value: null }
const CC_RULE = { o: 0, a: 'Email', t: 2, c: '@x.io', v: true }

/** Kinds of files that are read, with their versions. Each has the flag `a`, which is on for some users. */
const READ: readonly (readonly [ImportSystem, string, unknown])[] = [
  ['launchdarkly', 'flags of the API', { items: [{ ...LD_FLAG, environments: { production: STATE } }] }],
  [
    'launchdarkly',
    'flags of the API with version 20240415, for one environment',
    {
      items: [{ ...LD_FLAG, environments: { production: { ...STATE, _environmentName: 'Production' } } }],
      totalCount: 1,
      _links: { self: { href: '/api/v2/flags/shop?env=production&limit=100' } },
    },
  ],
  ['launchdarkly', 'one flag of the API', { ...LD_FLAG, environments: { production: STATE } }],
  ['launchdarkly', 'several answers in a list', [{ ...LD_FLAG, environments: { production: STATE } }]],
  ['launchdarkly', 'data of an SDK', { flags: { a: { ...STATE, key: 'a', variations: [true, false] } } }],
  ['launchdarkly', 'values of a file', { flagValues: { a: true } }],
  [
    'unleash',
    'what SDKs receive',
    { version: 2, features: [{ name: 'a', enabled: true, strategies: [STRATEGY] }] },
  ],
  [
    'unleash',
    'what old SDKs receive',
    { version: 1, features: [{ name: 'a', enabled: true, strategies: [STRATEGY], variants: null }] },
  ],
  [
    'unleash',
    'an export',
    {
      features: [{ name: 'a', type: 'release' }],
      featureEnvironments: [{ featureName: 'a', environment: 'production', enabled: true, name: 'a' }],
      featureStrategies: [{ ...STRATEGY, featureName: 'a', environment: 'production' }],
    },
  ],
  ...[3, 4].map(
    (version) =>
      [
        'unleash',
        `a state export of version ${version}`,
        {
          version,
          features: [{ name: 'a', archived: false }],
          featureEnvironments: [{ featureName: 'a', environment: 'production', enabled: true }],
          featureStrategies: [{ featureName: 'a', environment: 'production', strategyName: 'default' }],
          environments: [{ name: 'production' }],
        },
      ] as const,
  ),
  ['flagd', 'flags by key', { flags: { a: FLAGD_FLAG } }],
  ['flagd', 'a list of flags', { flags: [{ ...FLAGD_FLAG, key: 'a' }] }],
  ['growthbook', 'what SDKs receive', { status: 200, features: { a: { defaultValue: true, rules: [] } } }],
  ['growthbook', 'a map of features', { a: { defaultValue: true } }],
  ...[
    { rules: [GB_RULE] },
    { definition: '{"defaultValue": false, "rules": [{"condition": {"plan": "pro"}, "force": true}]}' },
  ].map(
    (state) =>
      [
        'growthbook',
        'version 1 of the API',
        {
          features: [{ ...GB_FEATURE, environments: { production: { enabled: true, ...state } } }],
          ...{ limit: 10, offset: 0, count: 1, total: 1, hasMore: false, nextOffset: null },
        },
      ] as const,
  ),
  [
    'growthbook',
    'version 2 of the API',
    {
      features: [
        {
          ...{ ...GB_FEATURE, environments: { production: { enabled: true } } },
          rules: [
            { ...GB_RULE, value: 'false', allEnvironments: false, environments: ['staging'] },
            { ...GB_RULE, allEnvironments: true },
          ],
        },
      ],
      ...{ limit: 10, offset: 0, count: 1, total: 1, hasMore: false },
    },
  ],
  [
    'growthbook',
    'one feature of the API',
    { feature: { ...GB_FEATURE, environments: { production: { enabled: true, rules: [GB_RULE] } } } },
  ],
  [
    'flagsmith',
    'an environment document',
    { id: 1, project: { segments: [] }, feature_states: [FEATURE_STATE] },
  ],
  ['goff', 'a flag file', { a: { variations: { on: true, off: false }, defaultRule: { variation: 'on' } } }],
  ['configcat', 'version 6', { p: { s: 'salt' }, f: { a: { t: 0, v: { b: true } } } }],
  ['configcat', 'version 5', { p: { u: '', r: 0 }, f: { a: { t: 0, v: false, r: [CC_RULE], p: [] } } }],
  ['configcat', 'version 4', { a: { t: 0, v: false, i: 'x', r: [CC_RULE], p: [] } }],
]

test.each(READ)('%s: %s is read', (system, _, data) => {
  const { environments, report } = importData(system, [structuredClone(data)])
  expect(report.flags.map(({ key, class: of }) => [key, of])).toEqual([['a', 'exact']])
  const [flag] = environments[0]?.flags ?? []
  expect(flag).toMatchObject({ key: 'a', is_enabled: true, flag_type: 'boolean' })
  const isConditional = JSON.stringify(flag?.rules) !== '[]' && flag?.default_value === false
  expect(isConditional || flag?.default_value === true).toBe(true)
})

/** Files that are no configuration of flags, or not all of it, with a part of the reason. */
const REFUSED: readonly (readonly [ImportSystem, string, unknown, RegExp])[] = [
  [
    'launchdarkly',
    'flags without environments',
    { items: [LD_FLAG, { ...LD_FLAG, environments: {} }] },
    /env=/,
  ],
  [
    'launchdarkly',
    'a project with its environments',
    {
      key: 'shop',
      environments: { totalCount: 1, items: [{ key: 'production', apiKey: 'sdk-1' }], _links: {} },
    },
    /no flags/,
  ],
  [
    'launchdarkly',
    'environments',
    { items: [{ key: 'production', apiKey: 'sdk-1', mobileKey: 'mob-1' }] },
    /no flags/,
  ],
  [
    'launchdarkly',
    'values of one user',
    { a: { value: true, variation: 0, version: 3, flagVersion: 2 } },
    /one user/,
  ],
  [
    'launchdarkly',
    'an event of a stream',
    { path: '/', data: { flags: { a: { ...STATE, variations: [true] } } } },
    /"data"/,
  ],
  ['launchdarkly', 'flags of flagd', { flags: { a: FLAGD_FLAG } }, /choose flagd/],
  ['unleash', 'features of the admin API', { features: [{ name: 'a', type: 'release' }] }, /no strategies/],
  [
    'unleash',
    'features of the admin API with environments and a state of their own',
    { features: [{ name: 'a', enabled: false, environments: [{ name: 'production', enabled: true }] }] },
    /environments/,
  ],
  [
    'unleash',
    'one feature of the admin API',
    { name: 'a', environments: [{ name: 'production', enabled: true, strategies: [STRATEGY] }] },
    /environments/,
  ],
  [
    'unleash',
    'a search',
    { total: 90, features: [{ name: 'a', environments: [{ name: 'production' }] }] },
    /environments/,
  ],
  [
    'unleash',
    'features with a state and no strategies',
    { features: [{ name: 'a', enabled: true }] },
    /no rules/,
  ],
  [
    'unleash',
    'a part of an export',
    { features: [{ name: 'a' }], featureEnvironments: [{ featureName: 'a', enabled: true }] },
    /featureStrategies/,
  ],
  ['unleash', 'the frontend API', { toggles: [{ name: 'a', enabled: true, variant: {} }] }, /one user/],
  ['unleash', 'changes', { events: [{ type: 'hydration', features: [] }] }, /not all features/],
  [
    'flagd',
    'a resource of Kubernetes',
    { kind: 'FeatureFlag', spec: { flagSpec: { flags: { a: FLAGD_FLAG } } } },
    /flagSpec/,
  ],
  ['flagd', 'values of OFREP', { flags: [{ key: 'a', value: true, reason: 'STATIC' }] }, /one user/],
  [
    'growthbook',
    'an encrypted payload',
    { status: 200, features: {}, encryptedFeatures: 'abc.def' },
    /Encrypt SDK payload/,
  ],
  [
    'growthbook',
    'encrypted saved groups',
    { features: { a: { defaultValue: true } }, encryptedSavedGroups: 'abc' },
    /Encrypt SDK payload/,
  ],
  ['flagsmith', 'flags for browsers', [FEATURE_STATE], /segments/],
  ['flagsmith', 'flags of a user', { flags: [FEATURE_STATE], traits: [] }, /segments/],
  [
    'flagsmith',
    'a list of the API',
    { count: 3, next: null, results: [{ id: 1, name: 'a' }] },
    /one kind of thing/,
  ],
  ['flagsmith', 'an export of features', [{ name: 'a', default_value: 'x', enabled: true }], /overrides/],
  [
    'goff',
    'the format before version 1',
    { a: { rule: 'key eq "x"', percentage: 10, true: 1, false: 0, default: 0 } },
    /version 1/,
  ],
  [
    'goff',
    'values of the relay proxy',
    { flags: { a: { value: true, variationType: 'on' } }, valid: true },
    /one user/,
  ],
  ['configcat', 'version 2', { a: { Value: true, SettingType: 0, RolloutRules: [] } }, /version/],
  ['configcat', 'the management API', { settingFormulas: [{ setting: {} }] }, /another form/],
  ['configcat', 'settings of the management API', [{ settingId: 1, key: 'a' }], /another form/],
  ['configcat', 'features of Unleash', { features: [{ name: 'a', enabled: true }] }, /choose unleash/],
]

test.each(REFUSED)('%s: %s is refused with the way to the right file', (system, _, data, reason) => {
  const attempt = () => importData(system, [structuredClone(data)])
  expect(attempt).toThrow(UnreadableFile)
  expect(attempt).toThrow(reason)
  expect(attempt).toThrow(IMPORT_REQUESTS[system].files)
  const { command } = IMPORT_REQUESTS[system]
  if (command !== undefined) expect(attempt).toThrow(command)
})

test('the files of one service are files of no other', () => {
  for (const [own, name, data] of READ)
    for (const system of IMPORT_SYSTEMS) {
      if (system === own) continue
      let found = 'refused'
      try {
        found = JSON.stringify(
          importData(system, [structuredClone(data)]).report.flags.map(({ class: of }) => of),
        )
      } catch (error) {
        expect(error).toBeInstanceOf(UnreadableFile)
      }
      expect([own, name, system, found]).toEqual([own, name, system, 'refused'])
    }
})

test('a flag that the file has and that cannot be read is in the report', () => {
  const good = { a: { ...FLAGD_FLAG }, b: null, c: 'on' }
  const cases: readonly (readonly [ImportSystem, unknown, readonly string[]])[] = [
    ['flagd', { flags: good }, ['b', 'c']],
    ['launchdarkly', { flags: { a: { ...STATE, variations: [true, false] }, b: 7 } }, ['b']],
    [
      'launchdarkly',
      {
        items: [
          { ...LD_FLAG, environments: { production: STATE } },
          { key: 'b', name: 'B' },
          { ...LD_FLAG, key: 'c' },
        ],
      },
      ['b', 'c'],
    ],
    [
      'unleash',
      {
        features: [
          { name: 'a', enabled: true, strategies: [] },
          { name: 'b', strategies: [] },
          { name: 'c', enabled: true },
          { name: 'd', enabled: true, strategies: null },
          null,
          { enabled: true },
        ],
      },
      ['b', 'c', 'd', 'features/4', 'features/5'],
    ],
    [
      'unleash',
      {
        features: [{ name: 'a' }, { name: 'b' }],
        featureStrategies: [],
        featureEnvironments: [{ featureName: 'a', enabled: true }],
      },
      ['b'],
    ],
    ['growthbook', { features: { a: { defaultValue: 1 }, b: [] } }, ['b']],
    [
      'growthbook',
      {
        features: [
          { ...GB_FEATURE, environments: { production: { enabled: true, rules: [] } } },
          { ...GB_FEATURE, id: 'b', environments: { production: { enabled: true } } },
          { ...GB_FEATURE, id: 'c' },
        ],
      },
      ['b', 'c'],
    ],
    ['flagsmith', { feature_states: [FEATURE_STATE, { enabled: true }] }, ['feature_states/1']],
    ['goff', { a: { variations: { on: 1 }, defaultRule: { variation: 'on' } }, b: {}, c: null }, ['b', 'c']],
    ['configcat', { f: { a: { t: 0, v: { b: true } }, b: null } }, ['b']],
  ]
  for (const [system, data, keys] of cases) {
    const { report } = importData(system, [data])
    const skipped = report.flags.filter((flag) => flag.class === 'skipped')
    expect([system, skipped.map(({ key }) => key)]).toEqual([system, keys])
    for (const { notes } of skipped) expect(notes.length).toBeGreaterThan(0)
  }
})

test('pages that together are the whole list are read, whatever their order', () => {
  const page = (keys: readonly string[], next: boolean, environment: string) => ({
    items: keys.map((key) => ({ ...LD_FLAG, key, environments: { [environment]: STATE } })),
    totalCount: 3,
    _links: next ? { next: { href: '/api/v2/flags/shop?offset=2' } } : {},
  })
  const whole = [page(['c'], false, 'production'), page(['a', 'b'], true, 'production')]
  expect(importData('launchdarkly', whole).report.flags).toHaveLength(3)
  const twoEnvironments = [...whole, page(['a', 'b'], true, 'staging')]
  expect(() => importData('launchdarkly', twoEnvironments)).toThrow('2 of 3 flags of staging: 1 are missing')
  const { report } = importData('launchdarkly', twoEnvironments, { isPartial: true })
  expect(report.notes).toMatchObject([{ code: 'partial' }])
  expect(report.flags.filter(({ environment }) => environment === 'staging')).toMatchObject([
    ...[
      { key: 'a', class: 'exact' },
      { key: 'b', class: 'exact' },
    ],
    { key: 'c', class: 'skipped', notes: [{ code: 'environment_missing' }] },
  ])
  const features = [{ ...GB_FEATURE, environments: { production: { enabled: true, rules: [] } } }]
  expect(() => importData('growthbook', [{ features, hasMore: true, total: 57, offset: 0 }])).toThrow(
    '56 are missing',
  )
  expect(() => importData('growthbook', [{ features, hasMore: true }])).toThrow('the next page is missing')
})

test('a flag that is listed twice is imported once, as the last one, with a note', () => {
  const flag = (defaultVariant: string) => ({ flags: { a: { ...FLAGD_FLAG, defaultVariant } } })
  const { environments, report } = importData('flagd', [flag('on'), flag('off'), flag('off')])
  expect(report.flags).toMatchObject([
    {
      key: 'a',
      class: 'exact',
      notes: [{ code: 'listed_twice', message: expect.stringContaining('3 times') }],
    },
  ])
  expect(environments[0]?.flags).toMatchObject([{ key: 'a', default_value: false }])
})

test('a key that one object of a file has twice is a note, and the last one counts', () => {
  const flag = (variant: string) => JSON.stringify({ ...FLAGD_FLAG, defaultVariant: variant })
  const content = `{"flags": {"a": ${flag('on')}, "b": ${flag('on')}, "\\u0061": ${flag('off')}}, "flags2": {"a": {}}}`
  const { environments, report } = importFiles('flagd', [parseFile({ name: 'flags.json', content })])
  expect(report.notes).toMatchObject([{ code: 'listed_twice', path: '/flags/a' }, { code: 'utf_16' }])
  expect(report.flags.map(({ key }) => key)).toEqual(['a', 'b'])
  expect(environments[0]?.flags[0]).toMatchObject({ default_value: false })
  const tricky = '{"a": ["}", {"x": 1, "y": "\\"x\\": 2"}], "b": {"c": {"d": 1, "d": 2}}}'
  expect(parseFile({ name: 'x.json', content: tricky })).not.toHaveProperty('repeated')
  const yaml = 'a: 1\nb: 2\na: 3\n'
  expect(() => parseFile({ name: 'flags.yaml', content: yaml })).toThrow('duplicated mapping key (3:1)')
})

test('numbers beyond 2^53 are never exact, in values and in conditions', () => {
  const long = 2 ** 60
  const flag = (condition: unknown, value: unknown) => ({
    ...{ state: 'ENABLED', variants: { on: value, off: 0 }, defaultVariant: 'off' },
    targeting: { if: [{ '==': [{ var: 'id' }, condition] }, 'on', 'off'] },
  })
  const flags = {
    value: flag('x', { ids: [long] }),
    condition: flag(long, 1),
    text: flag('99999999999999999999', 1),
    small: flag(1, 1),
  }
  const { report } = importData('flagd', [{ flags }])
  expect(report.flags.map(({ class: of, key, notes }) => [key, of, notes.map(({ code }) => code)])).toEqual([
    ['value', 'approximated', ['unsafe_number']],
    ['condition', 'approximated', ['unsafe_number']],
    ['text', 'exact', []],
    ['small', 'exact', []],
  ])
})
