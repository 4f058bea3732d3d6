import { expect, test } from 'vitest'
import { compile, dataFile, differences, importData } from './harness.ts'

interface Config {
  readonly f: Readonly<Record<string, object>>
}

const rule = (a: string, c: number, value: object, served: object) => ({
  c: [{ u: { a, c, ...value } }],
  s: { v: served },
})
const setting = (r: readonly object[], further: object = {}) => ({ t: 1, r, v: { s: 'else' }, ...further })
const YES = { s: 'yes' }
const TEXTS = { l: ['pro', 'te'] }

const CONFIG: Config = {
  f: {
    ...Object.fromEntries(
      [0, 1, 2, 3, 30, 31, 32, 33].map((c) => [`text-${c}`, setting([rule('plan', c, TEXTS, YES)])]),
    ),
    ...Object.fromEntries(
      [0, 1, 2, 3, 30, 31, 32, 33].map((c) => [
        `empty-${c}`,
        setting([rule('plan', c, { l: ['', 'x'] }, YES)]),
      ]),
    ),
    ...Object.fromEntries(
      [28, 29].map((c) => [`equal-empty-${c}`, setting([rule('plan', c, { s: '' }, YES)])]),
    ),
    ...Object.fromEntries([28, 29].map((c) => [`equal-${c}`, setting([rule('plan', c, { s: 'pro' }, YES)])])),
    ...Object.fromEntries(
      [4, 5].map((c) => [`versions-${c}`, setting([rule('version', c, { l: ['2.1.0', '3.0.0'] }, YES)])]),
    ),
    ...Object.fromEntries(
      [6, 7, 8, 9].map((c) => [`version-${c}`, setting([rule('version', c, { s: ' 2.1.0 ' }, YES)])]),
    ),
    ...Object.fromEntries(
      [10, 11, 12, 13, 14, 15].map((c) => [`number-${c}`, setting([rule('age', c, { d: 18 }, YES)])]),
    ),
    ...Object.fromEntries(
      [18, 19].map((c) => [`time-${c}`, setting([rule('since', c, { d: 1_700_000_000 }, YES)])]),
    ),
    identifier: setting([rule('Identifier', 0, { l: ['user-1', 'user-2'] }, YES)]),
    shares: setting([], {
      p: [
        { p: 30, v: { s: 'a' } },
        { p: 50, v: { s: 'b' } },
        { p: 20, v: { s: 'c' } },
      ],
    }),
    'rule-shares': setting([
      {
        c: [{ u: { a: 'plan', c: 28, s: 'pro' } }],
        p: [
          { p: 40, v: { s: 'a' } },
          { p: 60, v: { s: 'b' } },
        ],
      },
    ]),
    'by-company': setting([], {
      a: 'company',
      p: [
        { p: 40, v: { s: 'a' } },
        { p: 60, v: { s: 'b' } },
      ],
    }),
    boolean: {
      t: 0,
      v: { b: false },
      p: [
        { p: 25, v: { b: true } },
        { p: 75, v: { b: false } },
      ],
    },
    'boolean-rule': { t: 0, v: { b: true }, r: [rule('plan', 28, { s: 'pro' }, { b: false })] },
    number: { t: 2, v: { i: 7 }, r: [rule('plan', 28, { s: 'pro' }, { i: 9 })] },
    fraction: { t: 3, v: { d: 0.5 }, r: [rule('plan', 28, { s: 'pro' }, { d: 1.5 })] },
    'in-segment': setting([{ c: [{ s: { s: 0, c: 0 } }], s: { v: YES } }]),
    'not-in-segment': setting([{ c: [{ s: { s: 0, c: 1 } }], s: { v: YES } }]),
    two: setting([
      { c: [{ u: { a: 'plan', c: 28, s: 'pro' } }, { u: { a: 'age', c: 14, d: 17 } }], s: { v: YES } },
    ]),
  },
  ...{ s: [{ n: 'Pro users', r: [{ a: 'plan', c: 28, s: 'pro' }] }] },
}

test('every comparator, share and segment gives every user what ConfigCat gives them', async () => {
  const imported = importData('configcat', [CONFIG])
  expect(imported.report.flags.filter((flag) => flag.class !== 'exact')).toEqual([])
  const pools = {
    $user_key: ['user-1', 'user-2'],
    plan: ['pro', 'team', 'free', 'professional', 'late', ''],
    version: ['2.1.0', '2.0.9', '3.0.0', '10.0.0', '2.1.0-rc.1', 'none', 'v2.1.0', 'v2.1', '2.1', '2', ''],
    age: [17, 18, 19, '18'],
    since: [1_600_000_000, 1_700_000_000, 1_800_000_000],
    company: ['a', 'b', 'c', 'd', 'e', ''],
  }
  expect(await differences('configcat', [CONFIG], { count: 1_000, pools })).toEqual([])
})

test('the files of ConfigCat do, and settings that compare hashes are not written', async () => {
  const config = dataFile('configcat/config_v6-comparisons.json') as Config
  const { report } = importData('configcat', [config])
  const skipped = report.flags.filter((flag) => flag.class === 'skipped')
  expect(skipped.every(({ notes }) => notes[0]?.code === 'hashed')).toBe(true)
  expect(skipped).toHaveLength(9)
  const pools = {
    $user_key: ['12345', '1234'],
    Country: [['USA'], [' USA ', 'UK'], ['UK']],
    Version: ['1.0.0'],
    Number: [3],
    Date: [1],
  }
  expect(await differences('configcat', [config], { count: 200, pools })).toEqual([])
  const list = dataFile('configcat/config_v6-list.json') as Config
  const keys = { $user_key: ['1', '12', '99'] }
  expect(await differences('configcat', [list], { count: 100, pools: keys })).toEqual([])
})

/**
 * The values were compared with configcat-common 8.0.0, which reads version 5: for each rule, the users whom
 * it matches.
 */
const OLD_RULES: readonly (readonly [string, number, string, readonly string[]])[] = [
  ['Email', 0, 'a@x.io, b@x.io', ['a@x.io', 'b@x.io']],
  ['Email', 1, 'a@x.io ,b@x.io', ['c@y.io', ' a@x.io']],
  ['Email', 2, '@x.io', ['a@x.io', 'b@x.io', ' a@x.io']],
  ['Email', 3, '@x.io', ['c@y.io']],
  ['Ver', 4, '1.2.3, 2.0.0', ['1.2.3', '2.0.0', '2.0.0+b']],
  ['Ver', 5, '1.2.3, bad', ['2.0.0', '2.0.1', '2.0.0-rc.1', '2.0.0+b']],
  ['Ver', 4, '1.2.3, bad', []],
  ['Ver', 6, ' 2.0.0 ', ['1.2.3', '2.0.0-rc.1']],
  ['Ver', 9, 'bad', []],
  ['N', 10, '5,0', ['5']],
  ['N', 12, '5.5', ['5', '4.9']],
  ['N', 11, 'abc', []],
  ['Identifier', 0, 'user-1,user-2', ['user-1', 'user-2']],
]
const OLD_USERS: Readonly<Record<string, readonly string[]>> = {
  Email: ['a@x.io', 'b@x.io', 'c@y.io', '', ' a@x.io'],
  Ver: ['1.2.3', '2.0.0', '2.0.1', '1.9', 'bad', '', '2.0.0-rc.1', '2.0.0+b'],
  N: ['5', '4.9', 'abc', ''],
  Identifier: ['user-1', 'user-2', 'user-3'],
}

test.each(['5', '4'])('rules and shares of version %s give users what SDKs of their time did', (version) => {
  const settings = Object.fromEntries(
    OLD_RULES.map(([a, t, c], index) => [`r${index}`, { v: 'no', t: 1, r: [{ o: 0, a, t, c, v: 'yes' }] }]),
  )
  const share = {
    v: false,
    t: 0,
    p: [
      { o: 0, v: true, p: 30 },
      { o: 1, v: false, p: 70 },
    ],
  }
  const all = { ...settings, share, hashed: { v: 1, t: 2, r: [{ a: 'Email', t: 16, c: 'aa', v: 2 }] } }
  const imported = importData('configcat', [version === '5' ? { p: {}, f: all } : all])
  expect(imported.report.flags.filter((flag) => flag.class !== 'exact').map(({ key }) => key)).toEqual([
    'hashed',
  ])
  const set = compile(imported)
  for (const [index, [attribute, , , matched]] of OLD_RULES.entries()) {
    const found = (OLD_USERS[attribute] ?? []).filter((value) => {
      const user =
        attribute === 'Identifier'
          ? { userKey: value, attributes: {} }
          : { userKey: 'u', attributes: { [attribute]: value } }
      return set.evaluate(`r${index}`, user).value === 'yes'
    })
    expect([index, found]).toEqual([index, matched])
  }
  // Shares are divided as in version 6, of which the engine is compared above.
  const six = importData('configcat', [
    {
      f: {
        share: {
          t: 0,
          v: { b: false },
          p: [
            { p: 30, v: { b: true } },
            { p: 70, v: { b: false } },
          ],
        },
      },
    },
  ])
  const old = imported.environments[0]?.flags.find(({ key }) => key === 'share')
  expect(old).toEqual(six.environments[0]?.flags[0])
})

test('a setting that an empty list decides is approximated', () => {
  const tags = (c: number) => ({ a: 'tags', c, l: ['a'] })
  const inside = (s: number, c: number) => setting([{ c: [{ s: { s, c } }], s: { v: YES } }])
  const { report } = importData('configcat', [
    {
      s: [34, 35].map((c) => ({ n: `s${c}`, r: [tags(c)] })),
      f: {
        any: setting([rule('tags', 34, { l: ['a'] }, YES)]),
        none: setting([rule('tags', 35, { l: ['a'] }, YES)]),
        'in-any': inside(0, 0),
        'outside-any': inside(0, 1),
        'in-none': inside(1, 0),
        'outside-none': inside(1, 1),
      },
    },
  ])
  const lowered = ['approximated', 'empty_list']
  expect(report.flags.map((one) => [one.key, one.class, one.notes[0]?.code])).toEqual([
    ['any', 'exact', undefined],
    ['none', ...lowered],
    ['in-any', 'exact', undefined],
    ['outside-any', ...lowered],
    ['in-none', ...lowered],
    ['outside-none', ...lowered],
  ])
})

test('the outside of a segment with many conditions is left out before it grows', () => {
  const many = Array.from({ length: 20_000 }, (_, index) => ({ a: `a${index}`, c: 28, s: 'x' }))
  const r = [{ c: [{ s: { s: 0, c: 1 } }], s: { v: YES } }]
  const { report } = importData('configcat', [{ s: [{ n: 'many', r: many }], f: { outside: setting(r) } }])
  expect(report.flags.map((one) => [one.class, one.notes[0]?.code])).toEqual([
    ['approximated', 'too_many_alternatives'],
  ])
})
