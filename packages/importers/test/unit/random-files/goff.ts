import fc from 'fast-check'
import { NOW_MS } from '../../engines/go-engines.ts'
import type { RandomFiles } from './random-files.ts'

const POOLS: RandomFiles['pools'] = {
  $user_key: ['user-1', 'User-1', 'ann', 'bob'],
  plan: ['pro', 'PRO', 'Pro', 'team', 'free', '', 'professional', 'a"b', 'A_B', 'P`', 'p[{~', 'Q', 'é'],
  country: ['FR', 'fr', 'DE', 'de'],
  age: [17, 18, 18.5, 19, -1, -0.5, 0, 0.5, 1],
  rate: [1.5, 2.5, 2, -2.5, 0],
  app: ['2.0.0', '2.0', '2', 'v2.0.0', '2.1.0', '10.0.0', '2.0.0-beta', '2.0.0+b', '1.9.9', 'none'],
  beta: [true, false],
  anonymous: [true, false],
  'user.plan': ['pro', 'Team', 'free'],
  team: ['a', 'b', 'c', 'd', 'e', '', null],
}

const one = (...values: string[]) => fc.constantFrom(...values)
const words = (...parts: fc.Arbitrary<string>[]) => fc.tuple(...parts).map((found) => found.join(' '))
const comparison = fc.oneof(
  words(one('plan', 'country'), one('eq', 'ne', '==', '!=', 'EQ'), one('"pro"', '"FR"', '"Team"', '""')),
  words(one('plan'), one('co', 'sw', 'ew', 'CO'), one('"pro"', '"O"', '""')),
  words(one('plan', 'country'), one('in'), one('["pro", "FR"]', '["PRO"]', '["pro","team" ]')),
  words(
    one('age', 'rate'),
    one('eq', 'ne', 'gt', 'ge', 'lt', 'le', '>=', '<'),
    one('18', '0', '-1', '1', '18.5', '-2.5', '2.0', '1e3'),
  ),
  words(one('age'), one('in'), one('[17, 18]', '[18.5, -2.5]', '[18, 18.5]')),
  words(one('app'), one('eq', 'ne', 'gt', 'ge', 'lt', 'le'), one('2.0.0', '2.0.0-alpha', '"2.0.0"')),
  words(one('plan', 'app'), one('gt', 'ge', 'lt', 'le'), one('"Pro"', '"10.0"', '"a_b"', '"p[{~"', '""')),
  words(one('beta', 'anonymous'), one('eq', 'ne'), one('true', 'false')),
  words(one('plan', 'team', 'anonymous', 'key'), one('pr')),
  words(one('plan', 'age'), one('eq', 'ne'), one('null')),
  words(one('key', 'targetingKey'), one('eq', 'sw'), one('"user-1"', '"ANN"')),
)
const { parts } = fc.letrec<{ parts: string }>((tie) => ({
  parts: fc.oneof(
    { maxDepth: 3 },
    { weight: 3, arbitrary: comparison },
    {
      weight: 3,
      arbitrary: words(
        tie('parts'),
        one('and', 'or', 'and', 'or', 'AND', 'and', 'or', 'OR', '&&', ' and'),
        tie('parts'),
      ),
    },
    fc.tuple(one('not ', 'NOT', ''), tie('parts')).map(([negation, inner]) => `${negation}(${inner})`),
    { weight: 1, arbitrary: fc.tuple(tie('parts'), tie('parts')).map(([a, b]) => `${a} and\n  ${b}`) },
    { weight: 1, arbitrary: fc.tuple(tie('parts'), tie('parts')).map(([a, b]) => `${a} or \n  ${b}`) },
  ),
}))
const logic = fc
  .oneof(
    one('key', 'plan', 'country').map((name) => ({ '==': [{ var: name }, 'pro'] })),
    fc
      .tuple(one('<', '<=', '>', '>='), fc.constantFrom(18, 0, -1))
      .map(([name, to]) => ({ [name]: [{ var: 'age' }, to] })),
    one('==', '!=', '===', '!==').map((name) => ({ [name]: [{ var: 'beta' }, false] })),
    fc.constant({
      and: [{ in: [{ var: 'plan' }, ['pro', 'team']] }, { '!': { in: ['F', { var: 'country' }] } }],
    }),
    fc.constant({ starts_with: [{ var: 'plan' }, 'p'] }),
  )
  .map((rule) => JSON.stringify(rule))
const query = fc.oneof(
  { weight: 8, arbitrary: parts },
  { weight: 1, arbitrary: one('user.plan eq "team"', 'not (user.plan eq "PRO")', 'user.plan pr') },
  { weight: 2, arbitrary: logic },
)

const date = fc
  .constantFrom(-40, -30, -20, -10, -9, -8, -2, -1, 2)
  .map((days) => new Date(NOW_MS + days * 86_400_000).toISOString())
const variation = one('on', 'off', 'third')
const percentage = fc.dictionary(variation, fc.constantFrom(0, 10, 33.33, 16.67, 50, 90, 100), { minKeys: 1 })
const progressiveRollout = fc.record({
  initial: fc.record({
    variation,
    percentage: fc.constantFrom(0, 20),
    date: fc.constant('2025-01-01T00:00:00Z'),
  }),
  end: fc.record({ variation, percentage: fc.constantFrom(0, 60, 100), date }),
})
const outcome = fc.oneof(
  { weight: 4, arbitrary: fc.record({ variation }) },
  { weight: 3, arbitrary: fc.record({ percentage }) },
  { weight: 1, arbitrary: fc.record({ progressiveRollout }) },
)
const rule = fc
  .tuple(fc.record({ name: one('a', 'b'), query }, { requiredKeys: ['query'] }), outcome)
  .map(([head, serve]) => ({ ...head, ...serve }))
const targeting = fc.uniqueArray(rule, { maxLength: 3, selector: ({ name }) => name ?? Math.random() })
const step = fc.record(
  {
    date,
    defaultRule: outcome,
    targeting,
    disable: fc.boolean(),
    variations: fc.constant({ third: 'Later' }),
  },
  { requiredKeys: ['date'] },
)
const plain = fc.record(
  {
    variations: fc.constantFrom(
      { on: 'On', off: 'Off', third: 'Third' },
      { on: 'A', off: 'B', third: 'C' },
      { on: true, off: false, third: true },
      { on: 1, off: 2, third: 3 },
      { on: { x: 1 }, off: {}, third: { y: [1] } },
    ),
    targeting,
    defaultRule: outcome,
    disable: fc.constantFrom(true, false, false, false),
  },
  { requiredKeys: ['variations', 'targeting', 'defaultRule'] },
)
const parted = fc.oneof(
  { weight: 3, arbitrary: fc.constant({}) },
  fc.record({ bucketingKey: one('team', '', 'missing') }),
  fc.record({ scheduledRollout: fc.array(step, { maxLength: 2 }) }),
  fc.record({ experimentation: fc.record({ start: date, end: date }, { requiredKeys: [] }) }),
  fc.record({ bucketingKey: one('team'), scheduledRollout: fc.array(step, { maxLength: 2 }) }),
)
const flag = fc.tuple(plain, parted).map(([one, other]) => ({ ...one, ...other }))
const file = fc
  .array(flag, { minLength: 1, maxLength: 3 })
  .map((flags) => Object.fromEntries(flags.map((found, index) => [`flag-${index}`, found])))

/** Files of GO Feature Flag, and users with values that these name. */
export const GOFF_FILES: RandomFiles = { file, pools: POOLS }
