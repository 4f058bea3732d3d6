import { expect, test } from 'vitest'
import { classesOf, compile, dataFile, importData } from './harness.ts'

test('an environment document becomes flags, segments and overrides of single users', () => {
  const imported = importData('flagsmith', [dataFile('flagsmith/environment.json')])
  expect(classesOf(imported)).toEqual({ exact: 2 })
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
  expect(set.evaluate('mv_feature', { userKey: 'a' })).toMatchObject({ enabled: false, value: 'foo' })
})

const condition = (property_: string, operator: string, value: string | null) => ({
  property_,
  operator,
  value,
})
const segment = (name: string, type: string, conditions: readonly object[], state: object = {}) => ({
  ...{ id: 1, name, rules: [{ type: 'ALL', conditions: [], rules: [{ type, conditions, rules: [] }] }] },
  feature_states: [{ feature: { name: 'beta' }, enabled: true, feature_state_value: null, ...state }],
})
const documentWith = (segments: readonly object[]) => ({
  name: 'Production',
  project: { segments },
  feature_states: [
    {
      feature: { name: 'beta' },
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
