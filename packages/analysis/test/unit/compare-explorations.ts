import {
  type AttributeValue,
  createFlagSet,
  deepEqual,
  type Evaluation,
  type FlagSet,
} from '@burgee/evaluation'
import fc from 'fast-check'
import { expect } from 'vitest'
import { constantOf, type Given, pairsOf } from '../../src/index.ts'
import { typedFlags, typedUser } from './typed-flags.ts'

const isSame = (one: Given, other: Given) =>
  one.enabled === other.enabled && deepEqual(one.value, other.value)
const given = ({ value, enabled }: Evaluation): Given => ({ value, enabled })

/** Paths and milliseconds that a random flag may have; with more it is undecided. */
const LIMITS = { paths: 3000, time: 2_000 }

type Counts = Record<'constant' | 'varies' | 'undecided' | 'pairs' | 'open', number>
type Context = { userKey: string | null; attributes: Record<string, AttributeValue> }

/** Compares what is proved of random flags with what random users get. */
export function compareExplorations(runs: number, usersEach: number): Counts {
  const counts = { constant: 0, varies: 0, undecided: 0, pairs: 0, open: 0 }
  const users = fc.array(typedUser, { minLength: usersEach, maxLength: usersEach })
  fc.assert(
    fc.property(typedFlags, typedFlags, users, (flags, changed, contexts) => {
      const set = createFlagSet(flags)
      for (const key of ['a', 'b', 'c']) counts[expectConstant(set, key, contexts)]++
      counts[expectPairs(set, createFlagSet(changed), contexts)]++
    }),
    { numRuns: runs },
  )
  return counts
}

function expectConstant(set: FlagSet, key: string, contexts: readonly Context[]): keyof Counts {
  const constant = constantOf(set, key, LIMITS)
  if (constant.verdict === 'varies')
    for (const example of constant.examples)
      expect(given(set.evaluate(key, example.user))).toEqual(example.given)
  if (constant.verdict === 'constant')
    for (const context of contexts) expect(given(set.evaluate(key, context))).toEqual(constant.given)
  return constant.verdict
}

function expectPairs(set: FlagSet, after: FlagSet, contexts: readonly Context[]): keyof Counts {
  const userKey = contexts[0]?.userKey ?? null
  const { pairs, why } = pairsOf(set, after, 'a', userKey, LIMITS)
  for (const { user, ...pair } of pairs) {
    if (!user) continue
    expect(user.userKey).toBe(userKey)
    expect(given(set.evaluate('a', user))).toEqual(pair.before)
    expect(given(after.evaluate('a', user))).toEqual(pair.after)
  }
  if (why) return 'open'
  for (const context of contexts) {
    const { $user_key: _, ...attributes } = context.attributes
    const was = given(set.evaluate('a', { userKey, attributes }))
    const is = given(after.evaluate('a', { userKey, attributes }))
    expect(pairs.some((pair) => isSame(pair.before, was) && isSame(pair.after, is))).toBe(true)
  }
  return 'pairs'
}
