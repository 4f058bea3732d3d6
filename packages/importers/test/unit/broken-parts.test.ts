import { expect, test } from 'vitest'
import { compile, importData } from './harness.ts'

const classOf = ({ report }: ReturnType<typeof importData>) =>
  report.flags.map((flag) => [flag.class, flag.notes.map(({ code }) => code)])

const BOOLEANS = { state: 'ENABLED', variants: { a: true, b: false }, defaultVariant: 'b' }

test.each([
  ['an unknown variant', 'zz'],
  ['a number that is no variant', 1],
  ['an unknown variant for everyone else', { if: [{ '==': [{ var: 'plan' }, 'pro'] }, 'b', 'zz'] }],
  ['a rule with an unknown variant', { if: [{ '==': [{ var: 'plan' }, 'pro'] }, 'zz', 'b'] }],
])('a boolean flag is never on because the code decides there: %s', (_what, targeting) => {
  const imported = importData('flagd', [{ flags: { panel: { ...BOOLEANS, targeting } } }])
  expect(classOf(imported)).toEqual([['approximated', ['code_default']]])
  const set = compile(imported)
  const valueFor = (plan: string) => set.evaluate('panel', { userKey: 'u1', attributes: { plan } }).value
  expect([valueFor('pro'), valueFor('free')]).toEqual([false, false])
})

test('a share with an empty entry gives the default variant, as in flagd', () => {
  const targeting = { fractional: [[], ['b'], ['a', 100]] }
  const variants = { a: 'A', b: 'B' }
  const imported = importData('flagd', [
    { flags: { panel: { state: 'ENABLED', variants, defaultVariant: 'b', targeting } } },
  ])
  const set = compile(imported)
  const values = ['u1', 'u2', 'u3'].map((userKey) => set.evaluate('panel', { userKey }).value)
  expect(values).toEqual(['B', 'B', 'B'])
})

const GOFF = { variations: { on: 'On', off: 'Off' }, defaultRule: { variation: 'off' } }

test('an item of GO Feature Flag that is no rule is in the report', () => {
  const imported = importData('goff', [{ panel: { ...GOFF, targeting: [null] } }])
  expect(classOf(imported)).toEqual([['approximated', ['malformed']]])
})

test('constants of different types are compared by no guess', () => {
  const query = JSON.stringify({ '==': [false, ''] })
  const imported = importData('goff', [{ panel: { ...GOFF, targeting: [{ query, variation: 'on' }] } }])
  expect(classOf(imported)).toEqual([['approximated', ['logic']]])
})

test.each([
  // Their small letters are i and k.
  ['İ', 'plan gt "j"', 'Off'],
  ['İ', 'plan gt "h"', 'On'],
  ['K', 'plan gt "l"', 'Off'],
  ['K', 'plan ge "k"', 'On'],
  ['é', 'plan gt "z"', 'On'],
])('texts beyond ASCII are ordered by their small letters: %s in %s', (plan, query, value) => {
  const imported = importData('goff', [{ panel: { ...GOFF, targeting: [{ query, variation: 'on' }] } }])
  expect(classOf(imported)).toEqual([['exact', []]])
  expect(compile(imported).evaluate('panel', { userKey: 'u1', attributes: { plan } }).value).toBe(value)
})

test.each([
  ['null', null],
  ['a text', 'gradualRollout'],
])('a feature of Unleash with a strategy that is %s is not on for everyone', (_what, strategy) => {
  const feature = { name: 'panel', enabled: true, strategies: [strategy], variants: [] }
  const imported = importData('unleash', [{ version: 2, features: [feature] }])
  expect(classOf(imported)).toEqual([['skipped', ['malformed']]])
})

test('an export of Unleash with a strategy of no feature is refused', () => {
  const given = {
    features: [{ name: 'panel' }],
    featureEnvironments: [{ featureName: 'panel', environment: 'production', enabled: true }],
    featureStrategies: [{ name: 'userWithId', environment: 'production' }],
  }
  expect(() => importData('unleash', [given])).toThrow(/names no feature/)
})
