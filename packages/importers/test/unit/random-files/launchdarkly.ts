import fc from 'fast-check'
import type { RandomFiles } from './random-files.ts'

const POOLS: RandomFiles['pools'] = {
  $user_key: ['user-1', 'user-2', 'user-3', 'é', 'user 4'],
  plan: ['pro', 'team', 'free', 'prom', 'Pro', ''],
  age: [17, 18, 19, 2.5, -1, 0, 1e21],
  beta: [true, false],
  tags: [['a', 'b'], ['b'], ['c', 'pro']],
  version: ['2.1.0', '2.0.9', '2.1.1', '2.1.0-beta', 'none', '2', '2.1', '2.1.0+x'],
  since: ['2025-12-31T23:59:59Z', '2026-01-01T00:00:00Z', '2026-06-01T00:00:00+02:00', 1_700_000_000_000],
  company: ['a', 'b', 'c', 'd'],
}

const sub = (values: readonly unknown[]) => fc.array(fc.constantFrom(...values), { maxLength: 3 })
const clauseArb = (segments: boolean) =>
  fc.oneof(
    ...(segments
      ? [
          fc.record({
            attribute: fc.constant(''),
            op: fc.constant('segmentMatch'),
            values: sub(['s1', 's2', 's3', 'nope']),
            negate: fc.boolean(),
          }),
        ]
      : []),
    ...[
      ['plan', ['in', 'contains', 'startsWith', 'endsWith'], ['pro', 'team', 'ro', 'P', '', 7, true]],
      ['plan', ['matches'], ['^pr', 'te.m$', '(?=p)', '[', 'o{1,2}', '\\bpro\\b', '^$']],
      [
        'age',
        ['in', 'lessThan', 'lessThanOrEqual', 'greaterThan', 'greaterThanOrEqual'],
        [18, 2.5, 17, -1, 'bad'],
      ],
      ['beta', ['in'], [true, false]],
      ['tags', ['in', 'startsWith'], ['a', 'b', 'pro', 'c']],
      [
        'version',
        ['semVerEqual', 'semVerLessThan', 'semVerGreaterThan'],
        ['2.1.0', '2', '2.1', 'bad', '2.1.0-beta', 2],
      ],
      [
        'since',
        ['before', 'after'],
        [
          '2026-01-01T00:00:00Z',
          1_700_000_000_000,
          'bad',
          '2026-03-01T00:00:00.123+01:00',
          '2026-03-01T00:00:00',
          true,
        ],
      ],
      ['key', ['in', 'startsWith', 'greaterThan'], ['user-1', 'user', 1]],
    ].map(([attribute, ops, values]) =>
      fc.record({
        attribute: fc.constant(attribute),
        op: fc.constantFrom(...(ops as string[])),
        values: sub(values as unknown[]),
        negate: fc.boolean(),
        contextKind: fc.constant('user'),
      }),
    ),
  )
const rollout = fc.record({
  rollout: fc.record(
    {
      variations: fc.array(
        fc.record({ variation: fc.nat(2), weight: fc.constantFrom(0, 1, 10_000, 33_333, 50_000, 100_000) }),
        { minLength: 1, maxLength: 4 },
      ),
      bucketBy: fc.option(fc.constantFrom('key', 'company', 'plan'), { nil: undefined }),
      seed: fc.option(fc.constantFrom(61, 7), { nil: undefined }),
      kind: fc.option(fc.constantFrom('rollout', 'experiment'), { nil: undefined }),
    },
    { requiredKeys: ['variations'] },
  ),
})
const served = fc.oneof(fc.record({ variation: fc.nat(2) }), rollout)
const flagArb = fc.record({
  on: fc.oneof({ weight: 8, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
  variations: fc.constantFrom(
    [true, false, true],
    ['a', 'b', 'c'],
    [1, 2, 3],
    [1.5, 2, 'x'],
    [{ a: 1 }, { a: 2 }, null],
    [false, true, false],
  ),
  offVariation: fc.constantFrom(0, 1, 2),
  salt: fc.constantFrom('salt', 'abc.def', 'x'.repeat(190)),
  fallthrough: served,
  rules: fc.array(
    fc.tuple(served, fc.array(clauseArb(true), { maxLength: 3 })).map(([s, clauses]) => ({ ...s, clauses })),
    { maxLength: 3 },
  ),
  targets: fc.array(fc.record({ variation: fc.nat(2), values: sub(['user-1', 'user-2', 'user-3']) }), {
    maxLength: 2,
  }),
  prerequisites: fc.array(fc.record({ key: fc.constantFrom('f0', 'f1'), variation: fc.nat(2) }), {
    maxLength: 2,
  }),
})
const segArb = fc.record(
  {
    included: sub(['user-1', 'user-2']),
    excluded: sub(['user-1', 'user-3']),
    salt: fc.constant('seg'),
    rules: fc.array(
      fc.record(
        {
          clauses: fc.array(clauseArb(true), { maxLength: 2 }),
          weight: fc.option(fc.constantFrom(0, 50_000, 100_000), { nil: undefined }),
        },
        { requiredKeys: ['clauses'] },
      ),
      { maxLength: 2 },
    ),
    unbounded: fc.option(fc.constant(true), { nil: undefined, freq: 10 }),
  },
  { requiredKeys: ['included', 'excluded', 'rules', 'salt'] },
)
const file = fc
  .record({
    flags: fc.array(flagArb, { minLength: 1, maxLength: 4 }),
    segments: fc.array(segArb, { maxLength: 3 }),
  })
  .map(({ flags, segments }) => ({
    flags: Object.fromEntries(
      flags.map((f, i) => [
        `f${i}`,
        {
          key: `f${i}`,
          version: 1,
          ...f,
          prerequisites: f.prerequisites.filter((p) => Number(p.key.slice(1)) < i),
        },
      ]),
    ),
    segments: Object.fromEntries(
      segments.map((s, i) => [`s${i + 1}`, { key: `s${i + 1}`, version: 1, ...s }]),
    ),
  }))

/** Files of LaunchDarkly whose parts have the right types, and users with values that these name. */
export const LAUNCHDARKLY_FILES: RandomFiles = { file, pools: POOLS }
