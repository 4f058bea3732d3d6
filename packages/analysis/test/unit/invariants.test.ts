import { createFlagSet, listRequirements, OPERATORS, operatorKind } from '@burgee/evaluation'
import { describe, expect, test } from 'vitest'
import { aFlag, aRule, aStringFlag, weighted } from '../../../evaluation/test/unit/builders.ts'
import { behaviourOf, checkImplication, checkShare, checkValues, constantOf } from '../../src/index.ts'
import { compareInvariants } from './compare-invariants.ts'

const WHEN = [{ attribute: 'plan', operator: 'not_in' as const, values: ['enterprise'] }]
const VALUES: Record<string, string[]> = {
  text: ['p'],
  number: ['5'],
  version: ['1.2'],
  time: ['2026-01-02T03:04:05Z'],
  pattern: ['^p'],
}
const valuesOf = (operator: (typeof OPERATORS)[number]) => VALUES[operatorKind(operator)] ?? []

test('no random user contradicts a decision about an invariant', () => {
  const counts = compareInvariants(40, 10)
  expect(counts.holds).toBeGreaterThan(0)
  expect(counts.violated).toBeGreaterThan(0)
  expect(counts.same).toBeGreaterThan(0)
})

test.each(OPERATORS)('a rule with %s holds for whom it names, and for no others', (operator) => {
  const values = valuesOf(operator)
  const set = createFlagSet([aStringFlag({ rules: [aRule({ operator, values, variant: 'x' })] })])
  const when = [{ attribute: 'plan', operator, values }]
  const isX = ({ value }: { value: unknown }) => value === 'x'
  expect(checkValues(set, 'flag', when, isX).verdict).toBe('holds')
  expect(checkValues(set, 'flag', [], isX).verdict).toBe('violated')
})

test('a user whose key alone is required has that key', () => {
  const rules = [aRule({ attribute: '$user_key', operator: 'equals', values: ['ann'], variant: 'x' })]
  const set = createFlagSet([aStringFlag({ rules, requires: ['user_key'] })])
  const found = checkValues(set, 'flag', [], ({ value }) => value !== 'x')
  expect(found).toMatchObject({ verdict: 'violated', user: { userKey: 'ann', attributes: {} } })
})

describe('texts that patterns do not search', () => {
  const flag = aStringFlag({
    rules: [
      aRule({ operator: 'matches', values: ['^a'], variant: 'on' }),
      aRule({ operator: 'starts_with', values: ['a'], variant: 'x' }),
    ],
  })

  test('long texts and late elements of arrays reach the next rule', () => {
    expect(constantOf(createFlagSet([flag]), 'flag').verdict).toBe('varies')
    const rules = [{ ...flag.rules[0], conditions: [] }, flag.rules[1]]
    expect(constantOf(createFlagSet([{ ...flag, rules }]), 'flag').verdict).toBe('varies')
  })

  test('a pattern whose automaton is too large is undecided', () => {
    const rule = aRule({ operator: 'matches', values: ['a.{16}b.{16}c'], variant: 'x' })
    const set = createFlagSet([aStringFlag({ rules: [rule], default_value: 'x' })])
    expect(constantOf(set, 'flag').verdict).toBe('undecided')
  })
})

describe('shares of the users of one kind', () => {
  const share = (flag: object, percent: number, value: string | boolean = true) =>
    checkShare(createFlagSet([flag]), 'flag', WHEN, { value, percent })

  test('a rollout is exact', () => {
    const flag = aFlag({ rollout_percentage: 5 })
    expect(share(flag, 5).verdict).toBe('holds')
    expect(share(flag, 4.999)).toMatchObject({ verdict: 'violated', percent: 5 })
  })

  test('shares of one kind add up, and those of different kinds do not', () => {
    const rule = (value: string) => aRule({ values: [value], rollout_percentage: 30, rollout_salt: value })
    const sharing = (rules: unknown[]) => {
      const flag = aFlag({ rules: rules as never, rollout_percentage: 0 })
      return share({ ...flag, requires: listRequirements(flag) }, 30)
    }
    // An array has both values.
    expect(sharing([rule('a'), rule('b')])).toMatchObject({ verdict: 'violated', percent: 51 })
    const [first, second] = [rule('a'), rule('b')]
    const only = [{ attribute: 'plan', operator: 'not_in' as const, values: ['a'] }]
    expect(sharing([first, { ...second, conditions: only }]).verdict).toBe('holds')
    expect(sharing([first, { ...second, rollout_salt: 'a' }]).verdict).toBe('holds')
  })

  test('variants within a rollout multiply', () => {
    const flag = aStringFlag({ rollout_percentage: 50, variants: weighted(1, 3) })
    const [first] = flag.variants
    const value = String(first?.value)
    expect(share(flag, 12.5, value).verdict).toBe('holds')
    expect(share(flag, 12, value)).toMatchObject({ verdict: 'violated', percent: 12.5 })
  })
})

test('one flag implies another', () => {
  const one = aFlag({ key: 'one', rules: [aRule({ values: ['free'] })], rollout_percentage: 0 })
  const other = aFlag({ key: 'other', rules: [aRule({ values: ['free', 'pro'] })], rollout_percentage: 0 })
  const check = (first: string, second: string) =>
    checkImplication(
      createFlagSet([one, other]),
      [],
      { flagKey: first, value: true },
      { flagKey: second, value: true },
    )
  expect(check('one', 'other').verdict).toBe('holds')
  expect(check('other', 'one')).toMatchObject({ verdict: 'violated', user: { attributes: { plan: 'pro' } } })
})

test('merged rules behave the same, another value does not', () => {
  const flag = (...rules: string[][]) =>
    createFlagSet([aStringFlag({ rules: rules.map((values) => aRule({ values, variant: 'x' })) })])
  expect(behaviourOf(flag(['a', 'b']), flag(['b'], ['a']), 'flag').verdict).toBe('same')
  expect(behaviourOf(flag(['a']), flag(['b']), 'flag')).toMatchObject({
    verdict: 'different',
    source: { value: 'x' },
    target: { value: 'on' },
  })
})

test('where the rules have too many paths, a difference between two flags is searched among random users', () => {
  const rules = ['a', 'b', 'c'].map((value) => aRule({ values: [value], variant: value }))
  const [source, target] = ['x', 'y'].map((default_value) =>
    createFlagSet([aStringFlag({ rules, default_value })]),
  )
  if (!source || !target) throw new Error('no sets')
  const found = behaviourOf(source, target, 'flag', { paths: 1 })
  expect(found).toEqual({
    verdict: 'different',
    source: { value: 'x', enabled: true },
    target: { value: 'y', enabled: true },
    user: expect.anything(),
  })
  expect(behaviourOf(source, source, 'flag', { paths: 1 })).toMatchObject({ verdict: 'undecided' })
})
