import { createFlagSet, deepEqual, type EvaluatedFlag } from '@burgee/evaluation'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { aRule, aStringFlag } from '../../../evaluation/test/unit/builders.ts'
import { behaviourOf } from '../../src/index.ts'
import { typedFlags, typedUser } from './typed-flags.ts'

/** Minutes on a busy machine. */
const TIMEOUT_MS = 1_200_000

/** `npm run full -- drift` compares 1,000 pairs of environments. */
const PAIRS = process.env.BURGEE_FULL ? 1000 : 50
const USERS = process.env.BURGEE_FULL ? 10_000 : 100

/** Returns the flag with another text and the same behaviour. */
function rewrite(flag: EvaluatedFlag): EvaluatedFlag {
  const rules = flag.rules.flatMap((rule) => {
    const reordered = { ...rule, values: rule.values.toReversed() }
    // A second copy of a rule without a share matches nobody else.
    const isWhole = rule.rollout_percentage == null && rule.rollout_thousandths == null
    return isWhole ? [reordered, rule] : [reordered]
  })
  return { ...flag, rules }
}

test(
  'no false drift, and none is missed',
  () => {
    const counts: Record<string, number> = { same: 0, different: 0, undecided: 0, seen: 0 }
    const users = fc.sample(typedUser, USERS)
    const pair = fc.tuple(typedFlags, typedFlags, fc.boolean())
    fc.assert(
      fc.property(pair, ([flags, others, isRewritten]) => {
        const changed = isRewritten ? flags.map(rewrite) : [others[0], flags[1], flags[2]]
        const [source, target] = [createFlagSet(flags), createFlagSet(changed)]
        const { verdict, ...decided } = behaviourOf(source, target, 'a', { time: 1000 })
        counts[verdict] = (counts[verdict] ?? 0) + 1
        const isEqual = (user: object) => {
          const [one, two] = [source.evaluate('a', user), target.evaluate('a', user)]
          return one.enabled === two.enabled && deepEqual(one.value, two.value)
        }
        const isDrift = !users.every(isEqual)
        if (isDrift) counts.seen = (counts.seen ?? 0) + 1
        if (isRewritten) expect(verdict).not.toBe('different')
        if (isDrift) expect(verdict).toBe('different')
        if ('user' in decided) expect(isEqual(decided.user)).toBe(false)
      }),
      { numRuns: PAIRS },
    )
    process.stdout.write(`${PAIRS} pairs with ${USERS} users each: ${JSON.stringify(counts)}\n`)
    for (const size of [20, 100]) process.stdout.write(`${size} rules: ${measure(size).toFixed(1)} ms\n`)
  },
  TIMEOUT_MS,
)

/** Returns the median time of a comparison of flags with rules over four attributes. */
function measure(size: number): number {
  const names = ['plan', 'country', 'team', 'browser']
  const rules = Array.from({ length: size }, (_, index) =>
    aRule({ attribute: names[index % 4] ?? '', values: [`value-${index}`], variant: `v${index % 3}` }),
  )
  const source = createFlagSet([aStringFlag({ rules })])
  const target = createFlagSet([aStringFlag({ rules: rules.map((rule) => ({ ...rule })) })])
  const times = Array.from({ length: 11 }, () => {
    const start = performance.now()
    expect(behaviourOf(source, target, 'flag', { time: 5000 }).verdict).toBe('same')
    return performance.now() - start
  })
  return times.sort((one, other) => one - other)[5] ?? 0
}
