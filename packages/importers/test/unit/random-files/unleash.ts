import fc from 'fast-check'
import type { RandomFiles } from './random-files.ts'

const POOLS: RandomFiles['pools'] = {
  $user_key: ['user-1', 'user-2', 'user-3', 'user 4'],
  plan: ['pro', 'team', 'free', 'prom', 'Pro', 'x pro'],
  age: ['17', '18', '19', '2.5', '-1', 'abc', '', null],
  version: ['2.1.0', '2.0.9', '2.1.1', '2.1.0-beta', 'none', '10.0.0', '2', '2.1', 'v2.1.0'],
  company: ['a', 'b', 'c', 'd'],
  sessionId: ['s1', 's2', 's3'],
}
const sub = (values: readonly string[]) => fc.array(fc.constantFrom(...values), { maxLength: 3 })
const flagsOf = { inverted: fc.boolean(), caseInsensitive: fc.boolean() }
const constraint = fc.oneof(
  fc.record({
    contextName: fc.constantFrom('plan', 'company', 'userId'),
    operator: fc.constantFrom('IN', 'NOT_IN'),
    values: sub(['pro', 'team', 'a', 'user-1', '']),
    inverted: fc.boolean(),
  }),
  fc.record({
    contextName: fc.constantFrom('plan', 'userId'),
    operator: fc.constantFrom('STR_CONTAINS', 'STR_STARTS_WITH', 'STR_ENDS_WITH'),
    values: sub(['pro', 'P', 'ser', '.', ' ']),
    ...flagsOf,
  }),
  fc.record({
    contextName: fc.constant('age'),
    operator: fc.constantFrom('NUM_EQ', 'NUM_GT', 'NUM_GTE', 'NUM_LT', 'NUM_LTE'),
    value: fc.constantFrom('18', '2.5', 'bad', '', '0', ' 18 '),
    values: fc.constant([]),
    inverted: fc.boolean(),
  }),
  fc.record({
    contextName: fc.constant('version'),
    operator: fc.constantFrom('SEMVER_EQ', 'SEMVER_GT', 'SEMVER_LT', 'SEMVER_GTE', 'SEMVER_LTE'),
    value: fc.constantFrom('2.1.0', '2.1.0-beta', '2.1', 'bad'),
    values: fc.constant([]),
    inverted: fc.boolean(),
  }),
  fc.record({
    contextName: fc.constant('plan'),
    operator: fc.constant('REGEX'),
    value: fc.constantFrom('^pr', 'o$', '[a-', '(?i)PRO', '\\bpro'),
    values: fc.constant([]),
    ...flagsOf,
  }),
)
const stick = fc.constantFrom('userId', 'default', 'company', 'sessionId')
const payload = fc.option(
  fc.constantFrom(
    { type: 'string', value: 'text' },
    { type: 'json', value: '{"a":1}' },
    { type: 'number', value: '12' },
    { type: 'csv', value: 'a,b' },
    { type: 'number', value: '1.5' },
    { type: 'string', value: '' },
  ),
  { nil: undefined, freq: 2 },
)
const variant = fc.record(
  {
    name: fc.constantFrom('a', 'b', 'c', 'd'),
    weight: fc.constantFrom(0, 1, 333, 500, 1000),
    weightType: fc.constant('variable'),
    payload,
    overrides: fc.option(
      fc.array(
        fc.record({
          contextName: fc.constantFrom('plan', 'userId'),
          values: sub(['pro', 'user-1', 'user-2']),
        }),
        { maxLength: 2 },
      ),
      { nil: undefined },
    ),
  },
  { requiredKeys: ['name', 'weight'] },
)
const variantsArb = fc
  .tuple(stick, fc.uniqueArray(variant, { maxLength: 3, selector: (v) => v.name }))
  .map(([s, vs]) => vs.map((v) => ({ ...v, stickiness: s })))
const strategy = fc
  .tuple(
    fc.oneof(
      fc.record({
        name: fc.constant('flexibleRollout'),
        parameters: fc.record({
          rollout: fc.constantFrom('0', '1', '33', '50', '100'),
          stickiness: stick,
          groupId: fc.constantFrom('g', 'f0', 'f1'),
        }),
      }),
      fc.record({ name: fc.constant('default'), parameters: fc.constant({}) }),
      fc.record({
        name: fc.constant('userWithId'),
        parameters: fc.record({ userIds: fc.constantFrom('user-1, user-2', '', ' user-3,user-4') }),
      }),
      fc.record({
        name: fc.constantFrom('gradualRolloutUserId', 'gradualRolloutSessionId'),
        parameters: fc.record({
          percentage: fc.constantFrom('0', '40', '100'),
          groupId: fc.constantFrom('g', 'h'),
        }),
      }),
      fc.record({
        name: fc.constant('applicationHostname'),
        parameters: fc.record({ hostNames: fc.constant('a,b') }),
      }),
    ),
    fc.array(constraint, { maxLength: 2 }),
    fc.subarray([1, 2, 3]),
    variantsArb,
    fc.boolean(),
  )
  .map(([s, constraints, segments, variants, own]) => ({
    ...s,
    constraints,
    segments,
    ...(own && s.name === 'flexibleRollout' ? { variants: variants.map(({ overrides, ...v }) => v) } : {}),
  }))
const feature = fc.record({
  enabled: fc.oneof(
    { weight: 8, arbitrary: fc.constant(true) },
    { weight: 1, arbitrary: fc.constant(false) },
  ),
  strategies: fc.array(strategy, { maxLength: 3 }),
  variants: variantsArb,
  dependencies: fc.array(
    fc.record(
      {
        feature: fc.constantFrom('f0', 'f1'),
        enabled: fc.option(fc.boolean(), { nil: undefined }),
        variants: fc.option(sub(['a', 'b', 'zz']), { nil: undefined }),
      },
      { requiredKeys: ['feature'] },
    ),
    { maxLength: 1 },
  ),
})
const file = fc
  .record({
    features: fc.array(feature, { minLength: 1, maxLength: 4 }),
    segments: fc.array(fc.array(constraint, { maxLength: 2 }), { maxLength: 2 }),
  })
  .map(({ features, segments }) => ({
    version: 2,
    features: features.map((f, i) => ({
      name: `f${i}`,
      type: 'release',
      ...f,
      dependencies: f.dependencies.filter((d) => Number(d.feature.slice(1)) < i),
    })),
    segments: segments.map((constraints, i) => ({ id: i + 1, name: `seg${i}`, constraints })),
  }))

/** Files of Unleash whose parts have the right types, and users with values that these name. */
export const UNLEASH_FILES: RandomFiles = { file, pools: POOLS }
