import { type JsonValue, parseVersion } from '@burgee/evaluation'
import { expect, test } from 'vitest'
import { compile, dataFile, differences, exactKeys, importData } from './harness.ts'

type Json = Readonly<Record<string, JsonValue>>

interface Cases {
  readonly evalCondition: readonly [string, Json, Json, boolean, Json?][]
  readonly feature: readonly [string, Json & { attributes?: Json }, string, { value: JsonValue }][]
}
const CASES = dataFile('growthbook/cases.json') as Cases

/** Attributes inside objects have their path as name in Burgee. */
function flat(attributes: Json, prefix = ''): Record<string, JsonValue> {
  return Object.assign(
    {},
    ...Object.entries(attributes).map(([name, value]) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? flat(value, `${prefix}${name}.`)
        : { [prefix + name]: value },
    ),
  ) as Record<string, JsonValue>
}

/** A rule for everybody has every user with a key, so that users have one where nothing is divided. */
function userOf(attributes: Json, isDivided = false): { userKey: string | null; attributes: never } {
  const { id = isDivided ? null : 'someone', ...others } = flat(attributes)
  return { userKey: id === null ? null : String(id), attributes: others as never }
}

/** GrowthBook orders anything as a version, Burgee only versions. */
const isLooseVersion = ({ version }: Json) =>
  typeof version === 'string' && typeof parseVersion(version) !== 'string'

test('conditions give what the cases of GrowthBook say', () => {
  let compared = 0
  for (const [name, condition, attributes, expected, groups] of CASES.evalCondition) {
    const features = { flag: { defaultValue: 'no', rules: [{ condition, force: 'yes' }] } }
    const imported = importData('growthbook', [{ features, savedGroups: groups ?? {} }])
    if (exactKeys(imported).length === 0 || isLooseVersion(attributes)) continue
    const { value } = compile(imported).evaluate('flag', userOf(attributes))
    expect([name, value]).toEqual([name, expected ? 'yes' : 'no'])
    compared += 1
  }
  // The others order texts, or look into lists in ways that Burgee does not have.
  expect(compared).toBeGreaterThanOrEqual(60)
})

test('features give what the cases of GrowthBook say', () => {
  let compared = 0
  for (const [name, { attributes = {}, ...data }, key, expected] of CASES.feature) {
    if (!data.features || data.forcedVariations) continue
    const imported = importData('growthbook', [data])
    if (!exactKeys(imported).includes(key)) continue
    const { value } = compile(imported).evaluate(
      key,
      userOf(attributes, /coverage|variations/.test(JSON.stringify(data))),
    )
    // A boolean flag of Burgee gives false where another flag holds it back.
    const wanted = value === false ? (expected.value ?? false) : expected.value
    expect([name, value]).toEqual([name, wanted])
    compared += 1
  }
  expect(compared).toBeGreaterThanOrEqual(12)
})

const FEATURES = {
  forced: { defaultValue: 'a', rules: [{ condition: { plan: 'pro' }, force: 'b' }] },
  covered: { defaultValue: false, rules: [{ force: true, coverage: 0.37 }] },
  'covered-2': {
    defaultValue: false,
    rules: [{ force: true, coverage: 0.123, hashVersion: 2, seed: 'seed' }],
  },
  experiment: {
    defaultValue: 'a',
    rules: [{ variations: ['a', 'b', 'c'], weights: [0.5, 0.3, 0.2], key: 'exp' }],
  },
  'experiment-2': { defaultValue: 'a', rules: [{ variations: ['a', 'b', 'c'], hashVersion: 2, seed: 's' }] },
  'by-company': {
    defaultValue: 'a',
    rules: [{ variations: ['b', 'c'], hashAttribute: 'company' }, { force: 'd' }],
  },
  'boolean-experiment': { defaultValue: false, rules: [{ variations: [true, false], weights: [0.3, 0.7] }] },
  group: { defaultValue: 'a', rules: [{ condition: { id: { $inGroup: 'g' } }, force: 'b' }] },
  'not-group': { defaultValue: 'a', rules: [{ condition: { plan: { $notInGroup: 'plans' } }, force: 'b' }] },
  child: {
    defaultValue: 'a',
    rules: [
      { parentConditions: [{ id: 'forced', condition: { value: 'b' }, gate: true }] },
      { force: 'c', condition: { age: { $gte: 18 } } },
    ],
  },
}
const SAVED_GROUPS = { g: ['user-1', 'user-5'], plans: ['pro', 'team'] }

test('coverage, experiments, groups and parents give every user what GrowthBook gives them', async () => {
  const data = { features: FEATURES, savedGroups: SAVED_GROUPS }
  const imported = importData('growthbook', [data])
  expect(imported.report.flags.filter((flag) => flag.class !== 'exact')).toEqual([])
  const pools = { plan: ['pro', 'team', 'free'], company: ['a', 'b', 'c', 'd'], age: [17, 18, 19] }
  expect(await differences('growthbook', [data], { count: 2_000, pools })).toEqual([])
})

test('versions, empty texts and patterns give every user what GrowthBook gives them', async () => {
  const versions = ['2.1.0', '2.0.0', 'v2.1.0-beta', '2.1.3', '0.0.0']
  const conditions = [
    ...['$veq', '$vne', '$vgt', '$vgte', '$vlt', '$vlte'].flatMap((operator) =>
      versions.flatMap((version) => [
        { version: { [operator]: version } },
        { version: { $not: { [operator]: version } } },
      ]),
    ),
    ...['^n', 'x', '.', '^$'].flatMap((pattern) => [
      { plan: { $regex: pattern } },
      { plan: { $not: { $regexi: pattern } } },
    ]),
    ...[
      { plan: { $ini: ['PRO', 'nox', ''] } },
      { plan: { $nini: ['Pro', 7, null] } },
      { plan: { $ini: [] } },
    ],
    ...[{ plan: { $ini: 'pro' } }, { plan: { $not: { $nini: ['a.c', 'pRO'] } } }],
    ...[{ $savedGroup: { id: 'pros', attributeKey: 'plan' } }, { $savedGroup: { id: 'pros' } }],
    ...[{ $savedGroup: { id: 'paying' } }, { $not: { $savedGroup: { id: 'circle' } } }, { $savedGroup: 'x' }],
    ...[
      { plan: { $inGroup: 'pros' } },
      { plan: { $inGroup: 'paying' } },
      { plan: { $notInGroup: 'paying' } },
    ],
    ...[{ plan: '' }, { plan: { $ne: '' } }, { plan: { $in: ['', 'pro'] } }, { plan: { $exists: true } }],
  ]
  const features = {
    ...Object.fromEntries(
      conditions.map((condition, index) => [
        `c${index}`,
        { defaultValue: 'a', rules: [{ condition, force: 'b' }] },
      ]),
    ),
    ...Object.fromEntries(
      [0.2, 0.5, 0.8, 1].flatMap((coverage) =>
        ['1', '2'].map((seed) => [
          `share-${coverage}-${seed}`,
          { defaultValue: 'a', rules: [{ force: 'b', coverage, seed, hashAttribute: 'company' }] },
        ]),
      ),
    ),
  }
  const savedGroups = {
    pros: { type: 'list', attributeKey: 'plan', values: ['pro', 'NULL'] },
    paying: { type: 'condition', condition: { plan: { $in: ['pro', 'nox'] } } },
    circle: { type: 'condition', condition: { $or: [{ $savedGroup: { id: 'circle' } }, { plan: 'pro' }] } },
  }
  const payload = { features, savedGroups }
  const imported = importData('growthbook', [payload])
  expect(imported.report.flags.filter((flag) => flag.class !== 'exact')).toEqual([])
  const pools = {
    version: [
      '2.1.0',
      '2.0.9',
      '2.1.1',
      '2.1.0-beta',
      '10.0.0',
      'v2.1.0',
      'v2.1',
      '2.1',
      '2.0',
      '2',
      '0',
      '',
    ],
    plan: ['pro', 'nox', 'NULL', ''],
    company: ['a', 'b', '', 0, false, 7],
  }
  expect(await differences('growthbook', [payload], { count: 1_000, pools })).toEqual([])
})

test('the REST API is read for each environment', () => {
  const features = [
    {
      ...{
        id: 'theme',
        description: 'Colors',
        valueType: 'string',
        defaultValue: 'light',
        tags: ['ui'],
        owner: 'ada@example.com',
      },
      environments: {
        production: {
          enabled: true,
          definition: JSON.stringify({
            defaultValue: 'light',
            rules: [{ force: 'dark', condition: { plan: 'pro' } }],
          }),
        },
        staging: {
          enabled: false,
          rules: [{ type: 'force', value: 'dark', condition: '{"plan": "pro"}', enabled: true }],
        },
      },
    },
  ]
  const { environments, report } = importData('growthbook', [{ features }])
  expect(report.notes.map(({ code }) => code)).toEqual(['utf_16'])
  expect(environments).toMatchObject(
    [true, false].map((is_enabled, index) => ({
      environment: index === 0 ? 'production' : 'staging',
      flags: [
        { key: 'theme', is_enabled, description: 'Colors', rules: [{ attribute: 'plan', variant: 'dark' }] },
      ],
    })),
  )
})

test('namespaces, ranges and partly covered experiments are reported', () => {
  const rules = (rule: object) => ({ defaultValue: 'a', rules: [{ variations: ['a', 'b'], ...rule }] })
  const features = {
    namespace: rules({ namespace: ['n', 0, 0.5] }),
    range: rules({
      ranges: [
        [0, 0.1],
        [0.1, 1],
      ],
    }),
    coverage: rules({ coverage: 0.5 }),
    sized: { defaultValue: 'a', rules: [{ force: 'b', condition: { list: { $size: 2 } } }] },
  }
  const { report } = importData('growthbook', [{ features }])
  expect(report.flags.map((flag) => [flag.key, flag.class, flag.notes.at(-1)?.code])).toEqual([
    ['namespace', 'approximated', 'namespace'],
    ['range', 'approximated', 'explicit_range'],
    ['coverage', 'moved', 'coverage'],
    ['sized', 'approximated', 'operator'],
  ])
})

test('features of the REST API without a definition are read from their parts', () => {
  const rule = (type: string, fields: object) => ({ id: 'r', type, enabled: true, condition: '', ...fields })
  const features = [
    ['force', rule('force', { value: 'true', condition: '{"country": "US"}', savedGroupTargeting: [] })],
    ['rollout', rule('rollout', { value: 'true', coverage: 0.3, hashAttribute: 'id' })],
    [
      'experiment',
      rule('experiment', {
        ...{ trackingKey: 'exp', hashAttribute: 'id', coverage: 1, namespace: { enabled: false } },
        value: [
          { value: 'false', weight: 0.3 },
          { value: 'true', weight: 0.7 },
        ],
      }),
    ],
    ['reference', rule('experiment-ref', { variations: [{ value: 'true', variationId: 'v1' }] })],
    ['group', rule('force', { value: 'true', savedGroupTargeting: [{ savedGroups: ['g'] }] })],
    ['schedule', rule('force', { value: 'true', scheduleRules: [{ enabled: true, timestamp: null }] })],
    ['condition', rule('force', { value: 'true', condition: '{oops' })],
    ['namespace', rule('experiment', { value: [], namespace: { enabled: true, name: 'n', range: [0, 1] } })],
    ['parent', rule('force', { value: 'true', prerequisites: [{ id: 'force', condition: '{}' }] })],
  ] as const
  const { environments, report } = importData('growthbook', [
    {
      features: features.map(([id, one]) => ({
        ...{ id, valueType: 'boolean', defaultValue: 'false' },
        environments: { production: { enabled: true, defaultValue: 'false', rules: [one] } },
      })),
    },
  ])
  expect(report.flags.map((one) => [one.key, one.class, one.notes[0]?.code])).toEqual([
    ['force', 'exact', undefined],
    ['rollout', 'exact', undefined],
    ['experiment', 'exact', 'experiment'],
    ['reference', 'approximated', 'experiment'],
    ['group', 'approximated', 'saved_group'],
    ['schedule', 'approximated', 'clock'],
    ['condition', 'approximated', 'malformed'],
    ['namespace', 'approximated', 'namespace'],
    ['parent', 'approximated', 'parent_condition'],
  ])
  const [force, , experiment] = environments[0]?.flags ?? []
  expect(force?.rules).toEqual([{ attribute: 'country', operator: 'equals', values: ['US'] }])
  expect(experiment?.rules?.map((one) => [one.off ?? false, one.rollout_percentage])).toEqual([
    [true, 30],
    [false, undefined],
  ])
})

test('conditions on lists give every user what GrowthBook gives them', async () => {
  const conditions = [
    ...[{ tags: { $all: ['a', 'b'] } }, { tags: { $alli: ['A', 'b'] } }, { tags: { $all: [] } }],
    ...[
      { tags: { $in: ['a'] } },
      { tags: { $nin: ['a'] } },
      { tags: { $ini: ['A'] } },
      { tags: { $nini: ['A'] } },
    ],
    ...[{ tags: { $alli: 'a' } }, { tags: { $elemMatch: { $in: ['a', 'c'] } } }],
  ]
  const features = Object.fromEntries(
    conditions.map((condition, index) => [
      `c${index}`,
      { defaultValue: 'a', rules: [{ condition, force: 'b' }] },
    ]),
  )
  const { report } = importData('growthbook', [{ features }])
  expect(report.flags.filter((flag) => flag.class !== 'exact')).toEqual([])
  expect(report.flags.map(({ notes }) => notes.map(({ code }) => code)).slice(0, 4)).toEqual([
    ...[['list_attribute'], ['list_attribute'], ['list_attribute']],
    [],
  ])
  const pools = { tags: [['a', 'b'], ['B', 'a', 'c'], ['b'], ['A', 'B']] }
  expect(await differences('growthbook', [{ features }], { count: 300, pools })).toEqual([])
})
