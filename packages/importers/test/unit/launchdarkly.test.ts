import { expect, test } from 'vitest'
import { classesOf, dataFile, differences, importData } from './harness.ts'

interface SdkData {
  readonly flags: Readonly<Record<string, object>>
  readonly segments?: Readonly<Record<string, object>>
}

const clause = (attribute: string, op: string, values: unknown[], negate = false) => ({
  ...{ attribute, op, values, negate, contextKind: 'user' },
})
const flag = (key: string, stated: object) => [
  key,
  {
    ...{ key, on: true, version: 1, salt: `salt-${key}`, variations: ['a', 'b', 'c'], offVariation: 2 },
    ...{ rules: [], targets: [], prerequisites: [], fallthrough: { variation: 0 } },
    ...stated,
  },
]
const rollout = (...weights: number[]) => ({
  rollout: { variations: weights.map((weight, variation) => ({ variation, weight })) },
})
const BOOLEAN = { variations: [true, false], offVariation: 1 }

const OPERATORS: readonly [string, string, unknown[]][] = [
  ['plan', 'in', ['pro', 'team']],
  ['plan', 'contains', ['ro']],
  ['plan', 'startsWith', ['p']],
  ['plan', 'endsWith', ['m', 'o']],
  ['plan', 'matches', ['^pr', 'te.m$']],
  ['age', 'in', [18, 2.5]],
  ['age', 'lessThan', [18]],
  ['age', 'lessThanOrEqual', [18]],
  ['age', 'greaterThan', [18]],
  ['age', 'greaterThanOrEqual', [18]],
  ['beta', 'in', [true]],
  ['version', 'semVerEqual', ['2.1.0']],
  ['version', 'semVerLessThan', ['2.1.0']],
  ['version', 'semVerGreaterThan', ['2.1.0']],
  ['since', 'before', ['2026-01-01T00:00:00Z']],
  ['since', 'after', ['2026-01-01T00:00:00Z']],
  ['key', 'in', ['user-1', 'user-2']],
  // Values of other types match no one.
  ['key', 'in', [1, true]],
  ['key', 'greaterThan', [0]],
  ['age', 'lessThan', ['18', '20']],
  ['age', 'greaterThan', ['0', 20]],
  ['plan', 'contains', [1, 'ro']],
  ['plan', 'startsWith', [true]],
  ['plan', 'matches', [1]],
  ['version', 'semVerGreaterThan', [1, '2.0.0']],
  ['since', 'before', ['2026-01-01', '2026-01-01T00:00:00', 'never']],
  ['since', 'after', [1_767_225_600_000]],
  ['since', 'before', ['2026-01-01T00:00:00+01']],
]

const DATA: SdkData = {
  flags: Object.fromEntries([
    ...OPERATORS.flatMap(([attribute, op, values], index) =>
      [false, true].map((negate) =>
        flag(`${attribute}-${op}-${negate}-${index}`, {
          rules: [{ variation: 1, clauses: [clause(attribute, op, values, negate)] }],
        }),
      ),
    ),
    flag('boolean-rule-false', {
      ...BOOLEAN,
      rules: [{ variation: 1, clauses: [clause('plan', 'in', ['pro'])] }],
    }),
    flag('boolean-rollout', { ...BOOLEAN, fallthrough: rollout(12_345, 87_655) }),
    flag('boolean-rollout-reversed', {
      ...BOOLEAN,
      fallthrough: {
        rollout: {
          variations: [
            { variation: 1, weight: 30_000 },
            { variation: 0, weight: 70_000 },
          ],
        },
      },
    }),
    flag('boolean-rule-rollout', {
      ...BOOLEAN,
      rules: [{ ...rollout(40_000, 60_000), clauses: [clause('plan', 'in', ['pro'])] }],
      fallthrough: { variation: 1 },
    }),
    flag('rollout', { fallthrough: rollout(50_000, 30_000, 20_000) }),
    flag('rollout-too-small', { fallthrough: rollout(50_000, 30_000) }),
    flag('rollout-by-company', {
      fallthrough: { rollout: { ...rollout(50_000, 30_000, 20_000).rollout, bucketBy: 'company' } },
    }),
    flag('rule-rollout-by-company', {
      rules: [
        {
          rollout: { ...rollout(50_000, 30_000, 20_000).rollout, bucketBy: 'company' },
          clauses: [clause('plan', 'in', ['pro'])],
        },
      ],
    }),
    flag('seeded', { fallthrough: { rollout: { ...rollout(33_333, 33_333, 33_334).rollout, seed: 61 } } }),
    flag('targets', {
      targets: [
        { variation: 1, values: ['user-1', 'user-3'] },
        { variation: 2, values: ['user-4'] },
      ],
    }),
    flag('in-segment', {
      rules: [{ variation: 1, clauses: [clause('', 'segmentMatch', ['pros', 'teams'])] }],
    }),
    flag('not-in-segment', {
      rules: [{ variation: 1, clauses: [clause('', 'segmentMatch', ['pros', 'teams'], true)] }],
    }),
    flag('off', { on: false }),
    flag('no-off-variation', { on: false, offVariation: null }),
    flag('child', { prerequisites: [{ key: 'rollout', variation: 1 }] }),
    flag('grandchild', { prerequisites: [{ key: 'child', variation: 0 }], fallthrough: { variation: 1 } }),
    flag('numbers', { variations: [1, 2.5, 3], fallthrough: rollout(50_000, 30_000, 20_000) }),
    flag('objects', { variations: [{ a: 1 }, { a: 2 }, []], fallthrough: rollout(50_000, 30_000, 20_000) }),
    flag('dots.and spaces', { fallthrough: rollout(50_000, 30_000, 20_000) }),
  ]),
  segments: {
    pros: {
      ...{ key: 'pros', version: 1, included: ['user-7'], excluded: ['user-8'], salt: 's' },
      rules: [{ clauses: [clause('plan', 'in', ['pro']), clause('age', 'greaterThan', [17])] }],
    },
    teams: {
      ...{ key: 'teams', version: 1, included: [], excluded: [], salt: 's' },
      rules: [
        { clauses: [clause('plan', 'startsWith', ['te'])] },
        { clauses: [clause('', 'segmentMatch', ['pros'])] },
      ],
    },
  },
}

const POOLS = {
  $user_key: ['user-1', 'user-2', 'user-3', 'user-4', 'user-7', 'user-8'],
  plan: ['pro', 'team', 'free', 'prom', ''],
  age: [17, 18, 19, 2.5],
  beta: [true, false],
  version: ['2.1.0', '2.0.9', '2.1.1', '2.1.0-beta', 'none', 'v2.1.0', 'v2.1', '2.1', '2', ''],
  since: ['2025-12-31T23:59:59Z', '2026-01-01T00:00:00Z', '2026-06-01T00:00:00+02:00', 1_700_000_000_000],
  company: ['a', 'b', 'c', 'd', 'e', 'f', ''],
}

test('every operator, rollout, segment and prerequisite gives every user what LaunchDarkly gives them', async () => {
  const { report } = importData('launchdarkly', [DATA])
  expect(report.flags.filter((one) => one.class !== 'exact')).toEqual([])
  expect(await differences('launchdarkly', [DATA], { count: 1_000, pools: POOLS })).toEqual([])
})

test('a version that begins with v is none for a clause', () => {
  const rulesFor = (...values: string[]) =>
    importData('launchdarkly', [
      {
        flags: Object.fromEntries([
          flag('a', { rules: [{ variation: 1, clauses: [clause('version', 'semVerGreaterThan', values)] }] }),
        ]),
      },
    ]).environments[0]?.flags[0]?.rules
  expect(rulesFor('v1.0.0', '2.1')).toMatchObject([
    {
      ...{ attribute: 'version', operator: 'matches', values: ['^\\d'] },
      conditions: [{ attribute: 'version', operator: 'semver_greater_than', values: ['2.1'] }],
    },
  ])
  expect(rulesFor('v1.0.0')).toEqual([])
})

test('what SDKs receive is read', async () => {
  const data = dataFile('launchdarkly/sdk-data.json') as SdkData
  expect(classesOf(importData('launchdarkly', [data]))).toEqual({ exact: 3 })
  const pools = { email: ['a@falsemail.com', 'b@example.com'], country: ['australia', 'chile'] }
  expect(await differences('launchdarkly', [data], { count: 100, pools })).toEqual([])
})

test('answers of the REST API are read, with the segments of each environment', () => {
  const imported = importData('launchdarkly', [
    dataFile('launchdarkly/rest-flags.json'),
    dataFile('launchdarkly/rest-segments.json'),
  ])
  expect(
    imported.environments.map(({ environment, flags, segments }) => [
      environment,
      flags.length,
      segments.length,
    ]),
  ).toEqual([
    ['production', 9, 0],
    ['test', 9, 3],
  ])
  const { exact = 0 } = classesOf(imported)
  expect(exact / imported.report.flags.length).toBeGreaterThanOrEqual(0.85)
})

test('a list that only counts rules is not taken for one without rules', () => {
  const state = {
    on: true,
    salt: 's',
    _summary: { variations: { 0: { isFallthrough: true, rules: 2 }, 1: { isOff: true } }, prerequisites: 0 },
  }
  const items = [
    { key: 'a', variations: [{ value: true }, { value: false }], environments: { production: state } },
  ]
  const { report } = importData('launchdarkly', [{ items }])
  expect(report.flags[0]).toMatchObject({ class: 'skipped', notes: [{ code: 'summary' }] })
})

test('contexts of other kinds, big segments and migrations are reported', () => {
  const data = {
    flags: Object.fromEntries([
      flag('kind', {
        rules: [{ variation: 1, clauses: [{ ...clause('name', 'in', ['x']), contextKind: 'org' }] }],
      }),
      flag('migration', { migration: {}, migrationSettings: {} }),
      flag('reversed', {
        variations: [true, false],
        offVariation: 0,
        rules: [{ variation: 1, clauses: [clause('plan', 'in', ['a'])] }],
      }),
    ]),
    segments: { big: { key: 'big', unbounded: true } },
  }
  const { environments, report } = importData('launchdarkly', [data])
  expect(report.flags.map((one) => [one.key, one.class, one.notes[0]?.code])).toEqual([
    ['kind', 'approximated', 'context_kind'],
    ['migration', 'skipped', 'migration'],
    ['reversed', 'approximated', 'off_value'],
  ])
  expect(environments[0]?.flags[0]?.rules?.[0]).toMatchObject({ attribute: 'org.name' })
  expect(report.notes).toMatchObject([{ code: 'big_segment' }])
})

test('a flag that names a segment without its users is not exact', () => {
  const rule = (key: string) => ({ rules: [{ variation: 1, clauses: [clause('', 'segmentMatch', [key])] }] })
  const names = ['whole', 'absent', 'big', 'partial', 'outer', 'shared']
  const data = {
    flags: Object.fromEntries(names.map((name) => flag(name, rule(name)))),
    segments: {
      whole: { key: 'whole', included: ['user-1'] },
      big: { key: 'big', unbounded: true },
      partial: { key: 'partial', rules: [{ clauses: [clause('plan', 'matches', ['(?=x)'])] }] },
      outer: { key: 'outer', rules: [{ clauses: [clause('', 'segmentMatch', ['whole', 'big'])] }] },
      shared: { key: 'shared', rules: [{ clauses: [clause('plan', 'in', ['pro'])], weight: 50_000 }] },
    },
  }
  const { report } = importData('launchdarkly', [data])
  expect(report.flags.map((one) => [one.key, one.class, one.notes[0]?.code])).toEqual([
    ['whole', 'exact', undefined],
    ['absent', 'approximated', 'segment_missing'],
    ['big', 'approximated', 'big_segment'],
    ['partial', 'approximated', 'pattern'],
    ['outer', 'approximated', 'big_segment'],
    ['shared', 'approximated', 'segment_share'],
  ])
})

test('a flaw reaches flags through segments in a circle, and through a long chain of them', () => {
  const segment = (key: string, ...inner: string[]) => [
    key,
    { key, rules: inner.map((one) => ({ clauses: [clause('', 'segmentMatch', [one])] })) },
  ]
  const chain = Array.from({ length: 20_000 }, (_, at) => segment(`s${at}`, `s${at + 1}`))
  const circle = [segment('a', 'b', 'absent'), segment('b', 'a')]
  const named = ['a', 'b', 's0', 's9999'].map((key) =>
    flag(key, { rules: [{ variation: 1, clauses: [clause('', 'segmentMatch', [key])] }] }),
  )
  const data = { flags: Object.fromEntries(named), segments: Object.fromEntries([...circle, ...chain]) }
  const { report } = importData('launchdarkly', [data])
  expect(report.flags.map((one) => [one.class, one.notes[0]?.code])).toEqual(
    named.map(() => ['approximated', 'segment_missing']),
  )
})

test('a prerequisite that the value of a variation does not decide is reported', () => {
  const needs = (key: string, variation: number, more: object = {}) =>
    flag(`needs-${key}-${variation}`, { prerequisites: [{ key, variation }], ...more })
  const data = {
    flags: Object.fromEntries([
      flag('twins', { variations: ['a', 'b', 'a'] }),
      flag('nulls', { variations: ['a', null, 'c'] }),
      flag('middle', { prerequisites: [{ key: 'twins', variation: 1 }], offVariation: 2 }),
      needs('twins', 0),
      needs('twins', 1),
      needs('nulls', 1),
      needs('middle', 2),
    ]),
  }
  const { report } = importData('launchdarkly', [data])
  expect(report.flags.slice(3).map((one) => [one.key, one.class, one.notes[0]?.code])).toEqual([
    ['needs-twins-0', 'approximated', 'prerequisite_variation'],
    ['needs-twins-1', 'exact', undefined],
    ['needs-nulls-1', 'approximated', 'prerequisite_null'],
    ['needs-middle-2', 'approximated', 'prerequisite_off'],
  ])
})
