import fc from 'fast-check'
import type { RandomFiles } from './random-files.ts'

const POOLS: RandomFiles['pools'] = {
  $user_key: ['user-1', 'user-2', 'user-3'],
  plan: ['pro', 'team', 'free', 'prom', 'Pro'],
  age: [17, 18, 19, 2.5, -1, 0],
  version: ['2.1.0', '2.0.9', '2.1.1', '2.1.0-beta', '10.0.0', 'v2.1.0', '2.1', 'none'],
  beta: [true, false],
  mixed: ['pro', '18', 18, 0, true, false, 'True'],
}
type Row = readonly [properties: readonly string[], operators: readonly string[], values: readonly unknown[]]
const EQUALITY = ['EQUAL', 'NOT_EQUAL']
const ORDER = ['GREATER_THAN', 'GREATER_THAN_INCLUSIVE', 'LESS_THAN', 'LESS_THAN_INCLUSIVE']
const ROWS: readonly Row[] = [
  [
    ['plan', '$.identity.identifier'],
    [...EQUALITY, 'CONTAINS', 'NOT_CONTAINS'],
    ['pro', 'user-1', 'r'],
  ],
  [
    ['plan', "$.identity.traits['plan']", '$.identity.traits.plan'],
    ['REGEX'],
    ['^p', '^(pro|te)', '.*m$', 'o'],
  ],
  [
    ['plan', '$.identity.identifier'],
    ['IN'],
    ['pro,team', '["pro","user-1"]', ['user-2', 'team'], 'pro,', '[1]'],
  ],
  [['plan', 'age', 'mixed', '$.identity.identifier'], ['IS_SET', 'IS_NOT_SET'], [null]],
  [
    ['age', '$.identity.traits.age'],
    [...EQUALITY, ...ORDER],
    ['18', '18.0', '0', '2.5'],
  ],
  [['age'], ['IN'], ['17,18', '0,19']],
  [['version'], ['EQUAL', 'NOT_EQUAL', ...ORDER], ['2.1.0:semver', '2.1:semver', '2.1.0-beta:semver']],
  [['beta'], EQUALITY, ['True', 'False', 'true', 'false']],
  [['mixed'], EQUALITY, ['pro', '18', 'True']],
  [
    ['plan', 'age'],
    ['MODULO', 'SIMILAR', 'GREATER_THAN'],
    ['2|0', 'm'],
  ],
  [['$.environment.name', ''], ['EQUAL', 'IS_NOT_SET'], ['Production']],
  [[''], ['PERCENTAGE_SPLIT'], ['25', '100']],
]
const condition = fc
  .oneof(
    ...ROWS.map((arbitrary, index) => ({ weight: index < 9 ? 12 : 1, arbitrary: fc.constant(arbitrary) })),
  )
  .chain(([properties, operators, values]) =>
    fc.record({
      property_: fc.constantFrom(...properties),
      operator: fc.constantFrom(...operators),
      value: fc.constantFrom(...values),
    }),
  )
const type = fc.oneof(
  { weight: 30, arbitrary: fc.constantFrom('ALL', 'ANY', 'NONE') },
  { weight: 1, arbitrary: fc.constant('SOME') },
)
const inner = fc.record({ type, conditions: fc.array(condition, { maxLength: 3 }), rules: fc.constant([]) })
const rule = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('ALL'),
      conditions: fc.constant([]),
      rules: fc.array(inner, { minLength: 1, maxLength: 2 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type,
      conditions: fc.array(condition, { maxLength: 1 }),
      rules: fc.array(inner, { maxLength: 2 }),
    }),
  },
)
const VALUES: readonly (readonly unknown[])[] = [
  [null, ''],
  ['a', 'b', 'c', ''],
  [1, 2, 3],
  [true, false],
  ['a', 1, null],
  [5, ''],
]

/** The states of one feature, which have values of one kind. */
const feature = fc.nat(VALUES.length - 1).chain((kind) => {
  const value = fc.constantFrom(...(VALUES[kind] ?? []))
  const weights = fc.constantFrom([100], [30], [50, 50], [0])
  const variants = weights.chain((all) =>
    fc.tuple(...all.map((weight) => value.map((one) => [weight, one] as const))),
  )
  const state = fc.record({
    enabled: fc.boolean(),
    feature_state_value: value,
    variants: fc.oneof({ weight: 12, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: variants }),
  })
  const on = state.map((one) => ({ ...one, enabled: true }))
  // States that are off with different values make the flag inexact.
  const other = fc.oneof({ weight: 3, arbitrary: on }, { weight: 1, arbitrary: state })
  return fc.record({
    own: state,
    bySegment: fc.array(fc.option(other, { freq: 2 }), { minLength: 3, maxLength: 3 }),
    byUser: fc.array(fc.option(other, { freq: 1 }), { minLength: 2, maxLength: 2 }),
    priorities: fc.shuffledSubarray([0, 1, 2], { minLength: 3 }),
  })
})

interface State {
  readonly enabled: boolean
  readonly feature_state_value: unknown
  readonly variants: readonly (readonly [number, unknown])[]
}

const stateOf = (index: number, { variants, ...state }: State, priority?: number) => ({
  ...state,
  feature: { id: index + 1, name: `f${index}`, type: variants.length > 0 ? 'MULTIVARIATE' : 'STANDARD' },
  multivariate_feature_state_values: variants.map(([percentage_allocation, value], id) => ({
    ...{ percentage_allocation, id: id + 1 },
    multivariate_feature_option: { value },
  })),
  ...(priority !== undefined && { feature_segment: { priority } }),
})

const given = (index: number, state: State | null | undefined, priority?: number) =>
  state ? [stateOf(index, state, priority)] : []

const file = fc
  .record({
    features: fc.array(feature, { minLength: 1, maxLength: 3 }),
    rules: fc.array(fc.array(rule, { maxLength: 2 }), { minLength: 3, maxLength: 3 }),
  })
  .map(({ features, rules }) => ({
    ...{ id: 1, api_key: 'key', name: 'Production' },
    project: {
      ...{
        id: 1,
        name: 'Project',
        hide_disabled_flags: false,
        organisation: { id: 1, name: 'Organisation' },
      },
      segments: rules.map((all, id) => ({
        ...{ id: id + 1, name: `segment-${id}`, rules: all },
        feature_states: features.flatMap(({ bySegment, priorities }, index) =>
          given(index, bySegment[id], priorities[id]),
        ),
      })),
    },
    feature_states: features.map(({ own }, index) => stateOf(index, own)),
    identity_overrides: ['user-1', 'user-3'].map((identifier, at) => ({
      ...{ identifier, identity_uuid: identifier, environment_api_key: 'key' },
      identity_features: features.flatMap(({ byUser }, index) => given(index, byUser[at])),
    })),
  }))

/** Environment documents of Flagsmith, and users with traits that these name. */
export const FLAGSMITH_FILES: RandomFiles = { file, pools: POOLS }
