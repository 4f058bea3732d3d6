import fc from 'fast-check'
import type { RandomFiles } from './random-files.ts'

const POOLS: RandomFiles['pools'] = {
  $user_key: ['user-1', 'user-2', 'user-3'],
  plan: ['pro', 'team', 'free', 'prom', 'x pro'],
  'user.age': [17, 18, 19, 2.5, -1],
  version: ['2.1.0', '2.0.9', '2.1.1', '2.1.0-beta', 'none', '3.0.0', 'v2.1.0', '2.9.9', '0.3.1'],
  company: ['a', 'b', 'c', 'd'],
  beta: [true, false],
}
const v = (name: string) => fc.constant({ var: name })
const vlist = (name: string) => fc.constantFrom({ var: name }, { var: [name] }, { var: name })
const { cond } = fc.letrec((tie) => ({
  cond: fc.oneof(
    { maxDepth: 3 },
    fc
      .tuple(fc.constantFrom('==', '!=', '===', '!=='), vlist('plan'), fc.constantFrom('pro', 'team'))
      .map(([o, a, b]) => ({ [o]: [a, b] })),
    fc
      .tuple(fc.constantFrom('==', '!=', '===', '!=='), v('beta'), fc.boolean())
      .map(([o, a, b]) => ({ [o]: [a, b] })),
    fc
      .tuple(
        fc.constantFrom('<', '<=', '>', '>=', '==', '!='),
        v('user.age'),
        fc.constantFrom(18, 2.5, 0, -1),
      )
      .map(([o, a, b]) => ({ [o]: [a, b] })),
    fc
      .tuple(
        fc.constantFrom('<', '<=', '>', '>='),
        fc.constantFrom(17, 18),
        v('user.age'),
        fc.constantFrom(19, 18),
      )
      .map(([o, a, b, c]) => ({ [o]: [a, b, c] })),
    fc
      .tuple(v('plan'), fc.array(fc.constantFrom('pro', 'team', 'x'), { maxLength: 3 }))
      .map(([a, b]) => ({ in: [a, b] })),
    fc.tuple(fc.constantFrom('pro', 'o', ''), v('plan')).map(([a, b]) => ({ in: [a, b] })),
    fc
      .tuple(fc.constantFrom('starts_with', 'ends_with'), v('plan'), fc.constantFrom('p', 'pro', ''))
      .map(([o, a, b]) => ({ [o]: [a, b] })),
    fc
      .tuple(
        v('version'),
        fc.constantFrom('=', '!=', '<', '<=', '>', '>=', '^', '~'),
        fc.constantFrom('2.1.0', '2.1.0-beta', '0.3.0', 'bad', 'v2.1.0'),
      )
      .map((a) => ({ sem_ver: a })),
    fc.tuple(v('targetingKey'), fc.constantFrom('user-1')).map(([a, b]) => ({ '==': [a, b] })),
    fc.constant({ $ref: 'ev' }),
    fc.constant(true),
    fc.constant(false),
    fc.constantFrom({ var: 'plan' }, { '!!': { var: 'beta' } }, { '!': [{ var: 'company' }] }),
    fc.array(tie('cond'), { minLength: 1, maxLength: 3 }).map((a) => ({ and: a })),
    fc.array(tie('cond'), { minLength: 1, maxLength: 3 }).map((a) => ({ or: a })),
    tie('cond').map((a) => ({ '!': [a] })),
    fc.tuple(tie('cond'), tie('cond'), tie('cond')).map((a) => ({ if: a })),
  ),
}))
const name = fc.constantFrom('a', 'b', 'c', null)
const frac = fc
  .tuple(
    fc.option(
      fc.constantFrom(
        { var: 'company' },
        { var: 'targetingKey' },
        { cat: [{ var: '$flagd.flagKey' }, { var: 'company' }] },
        { cat: ['seed', { var: 'targetingKey' }] },
        { cat: [{ var: 'company' }, '-x'] },
      ),
      { nil: undefined },
    ),
    fc.array(
      fc.oneof(
        fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.constantFrom(0, 1, 25, 50, 33)),
        fc.tuple(fc.constantFrom('a', 'b', 'c')),
      ),
      { minLength: 1, maxLength: 4 },
    ),
  )
  .map(([by, list]) => ({ fractional: [...(by ? [by] : []), ...list] }))
const { out } = fc.letrec((tie) => ({
  out: fc.oneof(
    { maxDepth: 3 },
    name,
    frac,
    fc.tuple(cond, tie('out'), tie('out')).map((a) => ({ if: a })),
    fc.tuple(cond, tie('out'), cond, tie('out'), tie('out')).map((a) => ({ if: a })),
    fc.tuple(cond, tie('out')).map((a) => ({ if: a })),
  ),
}))
const flag = fc.record(
  {
    state: fc.oneof(
      { weight: 9, arbitrary: fc.constant('ENABLED') },
      { weight: 1, arbitrary: fc.constant('DISABLED') },
    ),
    variants: fc.constantFrom(
      { a: 'A', b: 'B', c: 'C' },
      { a: true, b: false, c: true },
      { a: 1, b: 2, c: 3 },
      { a: 1.5, b: 2, c: 3 },
      { a: { x: 1 }, b: {}, c: { y: [1] } },
    ),
    defaultVariant: fc.constantFrom('a', 'b', 'c', null),
    targeting: fc.oneof(out, fc.constant({})),
  },
  { requiredKeys: ['state', 'variants', 'defaultVariant'] },
)
const file = fc
  .record({ flags: fc.array(flag, { minLength: 1, maxLength: 3 }), ev: cond })
  .map(({ flags, ev }) => ({
    $evaluators: { ev: JSON.parse(JSON.stringify(ev).replaceAll('{"$ref":"ev"}', 'true')) },
    flags: Object.fromEntries(flags.map((f, i) => [`f${i}`, f])),
  }))

/** Files of flagd whose parts have the right types, and users with values that these name. */
export const FLAGD_FILES: RandomFiles = { file, pools: POOLS }
