import { expect, test } from 'vitest'
import { classesOf, compile, dataFile, differences, importData } from './harness.ts'

const VERSIONS = [
  '1.0.0',
  'v1.0.0',
  '1',
  '1.2',
  '2.0.0',
  '3.0.1',
  '3.1.0',
  '2.9.9',
  '4.0.0',
  '1.0.0+b',
  'none',
]

test('the files of flagd give every user what flagd gives them', async () => {
  for (const file of ['flagd/example_flags.flagd.json', 'flagd/custom-ops.json']) {
    const data = dataFile(file) as object
    const imported = importData('flagd', [data])
    expect((classesOf(imported).exact ?? 0) / imported.report.flags.length).toBeGreaterThanOrEqual(0.85)
    const pools = {
      email: ['a@faas.com', 'b@openfeature.dev', 'c@example.com'],
      color: ['yellow', 'red'],
      'user.name': ['ada', 'bob', 'cleo', 'dan', 'eve'],
      id: ['abcd', 'wxyz', 'other', 3],
      version: VERSIONS,
      tier: ['premium', 'basic'],
      hashing_input: Array.from({ length: 40 }, (_, index) => `input-${index}`),
    }
    expect(await differences('flagd', [data], { count: 1_000, pools })).toEqual([])
  }
})

const CONDITIONS: Readonly<Record<string, unknown>> = {
  equal: { '==': [{ var: 'plan' }, 'pro'] },
  'not-equal': { '!=': [{ var: 'plan' }, 'pro'] },
  strict: { '===': ['pro', { var: 'plan' }] },
  number: { '==': [{ var: 'age' }, 18] },
  less: { '<': [{ var: 'age' }, 18] },
  'less-mirrored': { '>': [18, { var: 'age' }] },
  more: { '>': [{ var: 'age' }, 18] },
  between: { '<=': [18, { var: 'age' }, 30] },
  in: { in: [{ var: 'plan' }, ['pro', 'team']] },
  'not-in': { '!': [{ in: [{ var: 'plan' }, ['pro', 'team']] }] },
  contains: { in: ['ro', { var: 'plan' }] },
  starts: { starts_with: [{ var: 'plan' }, 'p'] },
  'not-ends': { '!': { ends_with: [{ var: 'plan' }, 'm'] } },
  and: { and: [{ '==': [{ var: 'plan' }, 'pro'] }, { '>': [{ var: 'age' }, 17] }] },
  or: { or: [{ '==': [{ var: 'plan' }, 'pro'] }, { '!': { '>': [{ var: 'age' }, 17] } }] },
  if: {
    if: [{ '==': [{ var: 'plan' }, 'pro'] }, { '>': [{ var: 'age' }, 18] }, { '<': [{ var: 'age' }, 18] }],
  },
  key: { '==': [{ var: 'targetingKey' }, 'user-1'] },
  flag: { '==': [{ var: '$flagd.flagKey' }, 'flag'] },
  ref: { $ref: 'isPro' },
  'semver-unlike': { sem_ver: [{ var: 'version' }, '!=', '2.0.0'] },
}

test('every operation that has an equal is translated', async () => {
  const variants = { on: true, off: false }
  const names = { a: 'A', b: 'B', c: 'C' }
  const weights = [
    ['a', 50],
    ['b', 30],
    ['c', 20],
  ]
  const data = {
    $evaluators: { isPro: { '==': [{ var: 'plan' }, 'pro'] } },
    flags: {
      ...Object.fromEntries(
        Object.entries(CONDITIONS).flatMap(([key, condition]) => [
          [
            key,
            {
              state: 'ENABLED',
              variants,
              defaultVariant: 'off',
              targeting: { if: [condition, 'on', 'off'] },
            },
          ],
          [
            `${key}-text`,
            {
              state: 'ENABLED',
              variants: names,
              defaultVariant: 'a',
              targeting: { if: [condition, 'b', null] },
            },
          ],
        ]),
      ),
      split: { state: 'ENABLED', variants: names, defaultVariant: 'c', targeting: { fractional: weights } },
      nested: {
        ...{ state: 'ENABLED', variants: names, defaultVariant: 'c' },
        targeting: {
          if: [
            CONDITIONS.equal,
            { if: [CONDITIONS.more, 'a', { fractional: weights }] },
            CONDITIONS.in,
            'b',
            { fractional: weights },
          ],
        },
      },
      unknown: { state: 'ENABLED', variants: names, targeting: { if: [CONDITIONS.equal, 'none', 'a'] } },
    },
  }
  const imported = importData('flagd', [data])
  expect(imported.report.flags.filter((flag) => flag.class !== 'exact').map(({ key }) => key)).toEqual([
    'unknown',
  ])
  const pools = {
    $user_key: ['user-1'],
    plan: ['pro', 'team', 'free'],
    age: [17, 18, 19, 30, 31, 0],
    version: VERSIONS,
  }
  expect(await differences('flagd', [data], { count: 1_000, pools })).toEqual([])
})

test('users without an attribute get what flagd itself gives them, and the report says so', () => {
  const flag = (targeting: unknown) => ({
    ...{ state: 'ENABLED', variants: { on: 'hit', off: 'miss' }, defaultVariant: 'off', targeting },
  })
  const when = (condition: unknown) => flag({ if: [condition, 'on', 'off'] })
  const halves = [
    ['on', 50],
    ['off', 50],
  ]
  const flags = {
    'equals-false': when({ '==': [{ var: 'beta' }, false] }),
    'strictly-false': when({ '===': [{ var: 'beta' }, false] }),
    'at-most-0': when({ '<=': [{ var: 'age' }, 0] }),
    'below-1': when({ '<': [{ var: 'age' }, 1] }),
    'no-parts': when({ and: [] }),
    fractions: flag({
      fractional: [
        ['on', 49.5],
        ['off', 50.5],
      ],
    }),
    'text-weight': flag({
      fractional: [
        ['on', '50'],
        ['off', 50],
      ],
    }),
    single: flag({ fractional: [['on', null]] }),
    joined: flag({ fractional: [{ cat: [{ var: 'company' }] }, ...halves] }),
  }
  const imported = importData('flagd', [{ flags }])
  const set = compile(imported)
  const got = imported.report.flags.map(({ class: found, key, notes }) => [
    ...[key, found, set.evaluate(key, { userKey: 'u4', attributes: {} }).value],
    notes.some(({ code }) => code === 'javascript_differs'),
  ])
  expect(got).toEqual([
    ['equals-false', 'exact', 'miss', true],
    ['strictly-false', 'exact', 'miss', false],
    ['at-most-0', 'exact', 'miss', true],
    ['below-1', 'exact', 'hit', false],
    ['no-parts', 'exact', 'miss', false],
    ['fractions', 'exact', 'miss', true],
    ['text-weight', 'exact', 'miss', true],
    ['single', 'exact', 'hit', true],
    ['joined', 'exact', 'hit', true],
  ])
})

test('a share by an attribute says that it must be a text', () => {
  const shares = (first: unknown) => ({
    ...{ state: 'ENABLED', variants: { a: 'A', b: 'B' }, defaultVariant: 'a' },
    targeting: { fractional: [first, ['a', 50], ['b', 50]] },
  })
  const flags = { plain: shares({ var: 'company' }), joined: shares({ cat: ['x', { var: 'company' }] }) }
  const { report } = importData('flagd', [{ flags }])
  expect(report.flags.map((one) => [one.key, one.class, one.notes.map(({ code }) => code)])).toEqual([
    ['plain', 'exact', ['flagd_version', 'bucketing_type', 'javascript_differs']],
    ['joined', 'exact', ['flagd_version', 'javascript_differs']],
  ])
})

test('what has no equal is not written, and what only moves users says so', () => {
  const flag = (targeting: unknown, further: object = {}) => ({
    ...{ state: 'ENABLED', variants: { on: true, off: false }, defaultVariant: 'off', targeting },
    ...further,
  })
  const { report } = importData('flagd', [
    {
      flags: {
        clock: flag({ if: [{ '>': [{ var: '$flagd.timestamp' }, 5] }, 'on', 'off'] }),
        some: flag({ if: [{ some: [{ var: 'list' }, true] }, 'on', 'off'] }),
        reference: flag({ if: [{ $ref: 'missing' }, 'on', 'off'] }),
        share: flag({
          fractional: [
            ['on', 30],
            ['off', 70],
          ],
        }),
        disabled: flag(undefined, { state: 'DISABLED' }),
      },
    },
  ])
  expect(report.flags.map((one) => [one.key, one.class, one.notes[0]?.code])).toEqual([
    ['clock', 'skipped', 'clock'],
    ['some', 'skipped', 'logic'],
    ['reference', 'skipped', 'unknown_reference'],
    ['share', 'moved', 'flagd_version'],
    ['disabled', 'approximated', 'code_default'],
  ])
})
