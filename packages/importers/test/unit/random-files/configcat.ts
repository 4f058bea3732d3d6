import fc from 'fast-check'
import type { RandomFiles } from './random-files.ts'

const POOLS: RandomFiles['pools'] = {
  $user_key: ['user-1', 'user-2', 'user-3'],
  plan: ['pro', 'team', 'free', 'prom', 'Pro'],
  age: [17, 18, 19, 2.5, -1, 0],
  version: ['2.1.0', '2.0.9', '2.1.1', '2.1.0-beta', '10.0.0', '2.1', 'none'],
  company: ['a', 'b', 'c', 'd'],
  since: [1_600_000_000, 1_700_000_000, 1_800_000_000],
  tags: [['a', 'b'], ['b'], ['c', 'pro']],
}
const sub = (values: readonly string[]) =>
  fc.array(fc.constantFrom(...values), { minLength: 1, maxLength: 3 })
const user = fc.oneof(
  fc.record({
    a: fc.constantFrom('plan', 'Identifier'),
    c: fc.constantFrom(0, 1, 2, 3, 30, 31, 32, 33),
    l: sub(['pro', 'te', 'user-1', 'r']),
  }),
  fc.record({ a: fc.constant('plan'), c: fc.constantFrom(28, 29), s: fc.constantFrom('pro', 'team') }),
  fc.record({
    a: fc.constant('version'),
    c: fc.constantFrom(4, 5),
    l: sub(['2.1.0', ' 2.0.9 ', '2.1.0-beta', 'bad', '']),
  }),
  fc.record({
    a: fc.constant('version'),
    c: fc.constantFrom(6, 7, 8, 9),
    s: fc.constantFrom('2.1.0', ' 2.1.0', 'bad'),
  }),
  fc.record({
    a: fc.constant('age'),
    c: fc.constantFrom(10, 11, 12, 13, 14, 15),
    d: fc.constantFrom(18, 2.5, 0),
  }),
  fc.record({ a: fc.constant('since'), c: fc.constantFrom(18, 19), d: fc.constant(1_700_000_000) }),
  fc.record({ a: fc.constant('tags'), c: fc.constantFrom(34, 35), l: sub(['a', 'pro']) }),
  fc.record({
    a: fc.constant('plan'),
    c: fc.constantFrom(16, 17, 20, 26),
    l: sub(['abcdef']),
    s: fc.constant('abc'),
  }),
)
const cond = fc.oneof(
  { weight: 8, arbitrary: user.map((u) => ({ u })) },
  { weight: 2, arbitrary: fc.record({ s: fc.record({ s: fc.nat(2), c: fc.constantFrom(0, 1) }) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      p: fc.record({
        f: fc.constantFrom('f0'),
        c: fc.constantFrom(0, 1),
        v: fc.constantFrom({ b: true }, { s: 'a' }),
      }),
    }),
  },
)
const setting = fc.nat(3).chain((t) => {
  const v = fc.constantFrom(
    ...([
      [{ b: true }, { b: false }],
      [{ s: 'a' }, { s: 'b' }, { s: '' }],
      [{ i: 1 }, { i: 2 }],
      [{ d: 1.5 }, { d: 2 }],
    ][t] as object[]),
  )
  const p = fc
    .constantFrom([30, 70], [50, 50], [0, 100], [20, 30, 50], [100, 0], [33, 33, 34])
    .chain((ps) => fc.tuple(...ps.map((one) => v.map((value) => ({ p: one, v: value })))))
  return fc.record(
    {
      t: fc.constant(t),
      v,
      a: fc.option(fc.constantFrom('company', 'plan'), { nil: undefined }),
      p: fc.option(p, { nil: undefined }),
      r: fc.array(
        fc.oneof(
          fc.record({
            c: fc.array(cond, { minLength: 1, maxLength: 2 }),
            s: v.map((value) => ({ v: value })),
          }),
          fc.record({ c: fc.array(cond, { minLength: 1, maxLength: 2 }), p }),
        ),
        { maxLength: 3 },
      ),
    },
    { requiredKeys: ['t', 'v'] },
  )
})
const file = fc
  .record({
    f: fc.array(setting, { minLength: 1, maxLength: 3 }),
    s: fc.array(fc.array(user, { minLength: 1, maxLength: 2 }), { minLength: 3, maxLength: 3 }),
  })
  .map(({ f, s }) =>
    JSON.parse(
      JSON.stringify({
        p: { u: 'x', r: 0, s: 'salt' },
        s: s.map((r, i) => ({ n: `Seg ${i}`, r })),
        f: Object.fromEntries(f.map((x, i) => [`f${i}`, x])),
      }),
    ),
  )

/** Files of ConfigCat whose parts have the right types, and users with values that these name. */
export const CONFIGCAT_FILES: RandomFiles = { file, pools: POOLS }
