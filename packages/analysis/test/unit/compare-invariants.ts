import { createFlagSet, deepEqual } from '@burgee/evaluation'
import fc from 'fast-check'
import { expect } from 'vitest'
import { behaviourOf, checkImplication, checkShare, checkValues } from '../../src/index.ts'
import { typedCondition, typedFlags, typedUser } from './typed-flags.ts'

const LIMITS = { paths: 3000, time: 60_000 }

/** Compares decisions about random flags with what random users get. Returns how many there were of each. */
export function compareInvariants(runs: number, usersEach: number): Record<string, number> {
  const counts: Record<string, number> = {}
  const count = (verdict: string) => {
    counts[verdict] = (counts[verdict] ?? 0) + 1
  }
  const users = fc.array(typedUser, { minLength: usersEach, maxLength: usersEach })
  const when = fc.array(typedCondition, { maxLength: 1 })
  const property = fc.property(
    typedFlags,
    typedFlags,
    when,
    users,
    (flags, changed, conditions, contexts) => {
      const set = createFlagSet(flags)
      const other = createFlagSet(fc.sample(fc.constantFrom(flags, changed), 1)[0] ?? flags)
      // A flag with one rule evaluates the conditions themselves.
      const gate = createFlagSet([
        {
          ...flags[2],
          key: 'gate',
          flag_type: 'boolean',
          is_enabled: true,
          prerequisites: [],
          variants: [],
          default_value: null,
          disabled_value: null,
          rollout_percentage: 0,
          rollout_thousandths: null,
          rules: conditions.map((condition) => ({ ...condition, conditions: [], variant: null })),
        },
      ])
      const isMeant = (context: (typeof contexts)[number]) =>
        conditions.length === 0 || gate.evaluate('gate', context).value === true
      const meant = contexts.filter(isMeant)
      const values = checkValues(set, 'a', conditions, ({ value }) => value !== 'x', LIMITS)
      count(values.verdict)
      if (values.verdict === 'violated') expect(isMeant(values.user as never)).toBe(true)
      if (values.verdict === 'violated') expect(set.evaluate('a', values.user).value).toBe('x')
      if (values.verdict === 'holds')
        for (const context of meant) expect(set.evaluate('a', context).value).not.toBe('x')
      const implied = checkImplication(
        set,
        conditions,
        { flagKey: 'a', value: 'x' },
        { flagKey: 'b', value: 'y' },
        LIMITS,
      )
      count(implied.verdict)
      if (implied.verdict === 'holds')
        for (const context of meant)
          if (set.evaluate('a', context).value === 'x') expect(set.evaluate('b', context).value).toBe('y')
      const none = checkShare(set, 'a', conditions, { value: 'x', percent: 0 }, LIMITS)
      if (none.verdict === 'holds')
        for (const context of meant) expect(set.evaluate('a', context).value).not.toBe('x')
      const behaviour = behaviourOf(set, other, 'a', LIMITS)
      count(behaviour.verdict)
      const isEqual = (context: (typeof contexts)[number]) => {
        const [one, two] = [set.evaluate('a', context), other.evaluate('a', context)]
        return one.enabled === two.enabled && deepEqual(one.value, two.value)
      }
      if (behaviour.verdict === 'same') expect(contexts.every(isEqual)).toBe(true)
      if (behaviour.verdict === 'different') expect(isEqual(behaviour.user as never)).toBe(false)
    },
  )
  fc.assert(property, { numRuns: runs })
  return counts
}
