import { expect, test } from 'vitest'
import { classesOf, compile, dataFile, differences, importData } from './harness.ts'

test('an environment document becomes flags, segments and overrides of single users', () => {
  const imported = importData('flagsmith', [dataFile('flagsmith/environment.json')])
  expect(classesOf(imported)).toEqual({ exact: 1, approximated: 1 })
  // Two overrides are off with values of their own.
  expect(imported.report.flags[0]).toMatchObject({ key: 'some_feature', notes: [{ code: 'off_value' }] })
  const [environment] = imported.environments
  expect(environment).toMatchObject({
    environment: 'Test environment',
    segments: [
      { key: 'regular_segment', rules: [{ attribute: 'age', operator: 'less_than', values: ['40'] }] },
    ],
  })
  const set = compile(imported)
  const evaluate = (userKey: string, attributes = {}) => set.evaluate('some_feature', { userKey, attributes })
  expect(evaluate('someone')).toMatchObject({ enabled: true, value: 'some-value' })
  expect(evaluate('someone', { age: 39 })).toMatchObject({ enabled: false })
  expect(evaluate('someone', { age: 40 })).toMatchObject({ enabled: true })
  expect(evaluate('overridden-id')).toMatchObject({ enabled: false })
  expect(set.evaluate('mv_feature', { userKey: 'a' })).toMatchObject({ enabled: false, value: 'bar' })
})

const condition = (property_: string, operator: string, value: string | null) => ({
  property_,
  operator,
  value,
})
const segment = (name: string, type: string, conditions: readonly object[], state: object = {}) => ({
  ...{ id: 1, name, rules: [{ type: 'ALL', conditions: [], rules: [{ type, conditions, rules: [] }] }] },
  feature_states: [{ feature: { id: 1, name: 'beta' }, enabled: true, feature_state_value: null, ...state }],
})
const documentWith = (segments: readonly object[]) => ({
  name: 'Production',
  project: { segments, organisation: {} },
  feature_states: [
    {
      feature: { id: 1, name: 'beta' },
      enabled: false,
      feature_state_value: null,
      multivariate_feature_state_values: [],
    },
  ],
})

/** Returns whether the feature, which only a segment has, is on for a user with these traits. */
const isOn = (segments: readonly object[], attributes: object) =>
  compile(importData('flagsmith', [documentWith(segments)])).isEnabled('beta', 'user', attributes as never)

test('each operator of a segment holds for the traits for which it does there', () => {
  const rows: readonly [string, string | null, string | number | undefined, boolean][] = [
    ['EQUAL', 'pro', 'pro', true],
    ['EQUAL', 'pro', 'team', false],
    ['NOT_EQUAL', 'pro', 'team', true],
    // Without the trait no condition holds, also no negative one.
    ['NOT_EQUAL', 'pro', undefined, false],
    ['CONTAINS', 'r', 'pro', true],
    ['NOT_CONTAINS', 'r', 'team', true],
    ['NOT_CONTAINS', 'r', undefined, false],
    ['GREATER_THAN', '17', 18, true],
    ['GREATER_THAN_INCLUSIVE', '18', 18, true],
    ['LESS_THAN', '18', 18, false],
    ['LESS_THAN_INCLUSIVE', '18', 18, true],
    ['GREATER_THAN', '1.9.0:semver', '1.10.0', true],
    ['REGEX', 'p.o', 'pro', true],
    ['IN', 'pro,team', 'team', true],
    ['IS_SET', null, 'x', true],
    ['IS_NOT_SET', null, undefined, true],
  ]
  for (const [operator, value, trait, expected] of rows)
    expect([
      operator,
      trait,
      isOn(
        [segment('s', 'ALL', [condition('plan', operator, value)])],
        trait === undefined ? {} : { plan: trait },
      ),
    ]).toEqual([operator, trait, expected])
})

test('a typed trait is equal to its value in other forms', () => {
  const rows: readonly [string, string, unknown, boolean][] = [
    ['EQUAL', 'True', true, true],
    ['EQUAL', 'False', true, false],
    ['NOT_EQUAL', 'True', true, false],
    ['EQUAL', '18.0', 18, true],
    ['NOT_EQUAL', '18.0', 18, false],
    ['EQUAL', 'Pro', 'pro', false],
  ]
  for (const [operator, value, plan, expected] of rows)
    expect([
      operator,
      value,
      isOn([segment('s', 'ALL', [condition('plan', operator, value)])], { plan }),
    ]).toEqual([operator, value, expected])
})

test('ANY, ALL and NONE combine conditions, and the smallest priority number wins', () => {
  const both = [condition('plan', 'EQUAL', 'pro'), condition('age', 'GREATER_THAN', '17')]
  const users = [{}, { plan: 'pro' }, { age: 18 }, { plan: 'pro', age: 18 }]
  expect(users.map((user) => isOn([segment('s', 'ALL', both)], user))).toEqual([false, false, false, true])
  expect(users.map((user) => isOn([segment('s', 'ANY', both)], user))).toEqual([false, true, true, true])
  expect(users.map((user) => isOn([segment('s', 'NONE', both)], user))).toEqual([true, false, false, false])
  const first = segment('first', 'ALL', [both[0] ?? {}], { enabled: false, feature_segment: { priority: 0 } })
  const second = segment('second', 'ALL', [both[1] ?? {}], { feature_segment: { priority: 1 } })
  expect(isOn([second, first], { plan: 'pro', age: 18 })).toBe(false)
  expect(isOn([second, first], { age: 18 })).toBe(true)
})

test('shares move users, and a modulo is left out', () => {
  const split = importData('flagsmith', [
    documentWith([segment('s', 'ALL', [condition('', 'PERCENTAGE_SPLIT', '25')])]),
  ])
  expect(split.report.flags[0]).toMatchObject({ class: 'moved', notes: [{ code: 'percentage_split' }] })
  expect(split.environments[0]?.flags[0]?.rules).toMatchObject([{ segment_key: 's', rollout_percentage: 25 }])
  const modulo = importData('flagsmith', [
    documentWith([segment('s', 'ALL', [condition('age', 'MODULO', '2|0')])]),
  ])
  expect(modulo.report.flags[0]).toMatchObject({ class: 'approximated', notes: [{ code: 'modulo' }] })
})

const POOLS = {
  $user_key: ['user-1', 'user-2'],
  plan: ['pro', 'team', 'free'],
  age: [17, 18, 19],
  beta: [true, false],
  version: ['1.9.0', '1.10.0', 'v1.10.0', '1.10.0-rc.1', '1.10', 'none'],
}
const compare = (segments: readonly object[]) =>
  differences('flagsmith', [documentWith(segments)], { count: 1_000, pools: POOLS })

test('each operator of a segment gives users what the engine of Flagsmith gives them', async () => {
  const text = ['EQUAL', 'NOT_EQUAL', 'CONTAINS', 'NOT_CONTAINS', 'IN', 'IS_SET', 'IS_NOT_SET', 'SIMILAR']
  const order = ['GREATER_THAN', 'GREATER_THAN_INCLUSIVE', 'LESS_THAN', 'LESS_THAN_INCLUSIVE']
  const conditions = [
    ...text.flatMap((operator) => [
      condition('plan', operator, 'pro'),
      condition('$.identity.identifier', operator, 'user-1'),
      condition("$.identity.traits['plan']", operator, 'team'),
    ]),
    ...[...order, 'EQUAL', 'NOT_EQUAL'].flatMap((operator) => [
      condition('age', operator, '18'),
      condition('version', operator, '1.10.0:semver'),
      condition('version', operator, '1.10:semver'),
    ]),
    ...['True', 'False'].map((value) => condition('beta', 'EQUAL', value)),
    ...['^p.o', '.*m$', ''].map((value) => condition('plan', 'REGEX', value)),
    ...['pro,free', '["pro"]', ''].map((value) => condition('plan', 'IN', value)),
    condition('', 'IS_NOT_SET', null),
  ]
  for (const one of conditions)
    for (const type of ['ALL', 'NONE'])
      expect([one, type, await compare([segment('s', type, [one])])]).toEqual([one, type, []])
})

test('the conditions of a rule and its inner rules must both hold, and no rules match no one', async () => {
  const inner = { type: 'ALL', conditions: [condition('age', 'GREATER_THAN', '17')], rules: [] }
  const rule = { type: 'ANY', conditions: [condition('plan', 'EQUAL', 'pro')], rules: [inner] }
  const both = { ...segment('s', 'ALL', []), rules: [rule] }
  expect(await compare([both])).toEqual([])
  const users = [{ plan: 'pro' }, { age: 18 }, { plan: 'pro', age: 18 }]
  expect(users.map((user) => isOn([both], user))).toEqual([false, false, true])
  const none = { ...segment('s', 'ALL', []), rules: [] }
  expect(await compare([none])).toEqual([])
  expect(isOn([none], { plan: 'pro' })).toBe(false)
})

test('what the engines of Flagsmith evaluate in different ways, and what has no equal, is not exact', () => {
  const codeOf = (rules: readonly object[]) => {
    const { report } = importData('flagsmith', [documentWith([{ ...segment('s', 'ALL', []), rules }])])
    return [report.flags[0]?.class, report.flags[0]?.notes[0]?.code]
  }
  const withOne = (one: object) => codeOf([{ type: 'ALL', conditions: [one], rules: [] }])
  const differ = ['approximated', 'engines_differ']
  expect(withOne(condition('plan', 'REGEX', 'p.o'))).toEqual(differ)
  expect(withOne(condition('plan', 'REGEX', '^a|b'))).toEqual(differ)
  expect(withOne(condition('age', 'IN', '[17, 18]'))).toEqual(differ)
  const inner = { type: 'ALL', conditions: [condition('plan', 'EQUAL', 'pro')], rules: [] }
  expect(codeOf([{ type: 'ANY', conditions: [], rules: [inner, inner] }])).toEqual(differ)
  expect(withOne(condition('since', 'GREATER_THAN', '2026-01-01'))).toEqual(['approximated', 'text_order'])
  expect(withOne(condition('$.environment.name', 'EQUAL', 'a'))).toEqual(['approximated', 'context_path'])
  const split = condition('', 'PERCENTAGE_SPLIT', '25')
  const nested = { type: 'ANY', conditions: [], rules: [{ ...inner, conditions: [split] }, inner] }
  expect(codeOf([nested])[0]).toBe('approximated')
  expect(codeOf([{ type: 'NONE', conditions: [split], rules: [] }])[0]).toBe('approximated')
})

test('parts of a segment that are objects instead of texts are read, or left out', () => {
  const odd = { toString: 1 }
  const one = {
    ...segment('s', 'ALL', [{ property_: 'plan', operator: 'IN', value: odd }]),
    id: odd,
    name: odd,
  }
  const other = { ...segment('t', 'ALL', []), rules: [{ type: odd, conditions: [], rules: [{}] }] }
  const imported = importData('flagsmith', [documentWith([one, other])])
  expect(imported.report.flags).toHaveLength(1)
})

test('a feature that is off keeps the value that it has there', () => {
  const off = { enabled: false, feature_state_value: 'none' }
  const pro = segment('s', 'ALL', [condition('plan', 'EQUAL', 'pro')], off)
  const data = documentWith([pro])
  const states = data.feature_states.map((state) => ({ ...state, enabled: true, feature_state_value: 'all' }))
  const imported = importData('flagsmith', [{ ...data, feature_states: states }])
  expect(classesOf(imported)).toEqual({ exact: 1 })
  const set = compile(imported)
  const evaluate = (plan: string) => set.evaluate('beta', { userKey: 'user', attributes: { plan } })
  expect(evaluate('pro')).toMatchObject({ enabled: false, value: 'none' })
  expect(evaluate('team')).toMatchObject({ enabled: true, value: 'all' })
})
