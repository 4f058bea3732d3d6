import { createFlagSet } from '@burgee/evaluation'
import { describe, expect, it } from 'vitest'
import { changeShareOf, checkShare } from '../../src/index.ts'

const KEYS = 10_000

const flag = (fields: object) => ({ key: 'a', flag_type: 'boolean', is_enabled: true, rules: [], ...fields })
const setOf = (...flags: object[]) => {
  const set = createFlagSet()
  for (const one of flags) set.upsert(one as never)
  return set
}

/** Counts the share of keys that differ, by the evaluator. */
function counted(before: ReturnType<typeof setOf>, after: ReturnType<typeof setOf>): number {
  let moved = 0
  for (let at = 0; at < KEYS; at += 1) {
    const [was, is] = [before, after].map((set) => set.resolve('a', `user-${at}`, {}))
    if (was?.value !== is?.value || was?.enabled !== is?.enabled) moved += 1
  }
  return moved / KEYS
}

const variants = (...weights: number[]) => weights.map((weight, at) => ({ weight, value: `v${at}` }))

describe('the share of keys that a change moves', () => {
  it.each([
    ['a rollout', [flag({ rollout_percentage: 10 })], [flag({ rollout_percentage: 35 })], 0.25],
    [
      'a rollout that is left as it is',
      [flag({ rollout_percentage: 10 })],
      [flag({ rollout_percentage: 10 })],
      0,
    ],
    ['a switch', [flag({ rollout_percentage: 40 })], [flag({ is_enabled: false })], 0.4],
    [
      'weights',
      [flag({ flag_type: 'string', default_value: '', variants: variants(1, 1) })],
      [flag({ flag_type: 'string', default_value: '', variants: variants(3, 1) })],
      0.25,
    ],
    [
      'a prerequisite with a rollout of its own',
      [flag({ rollout_percentage: 50 }), flag({ key: 'b', rollout_percentage: 50 })],
      [
        flag({ rollout_percentage: 50, prerequisites: [{ flag_key: 'b', required_value: true }] }),
        flag({ key: 'b', rollout_percentage: 50 }),
      ],
      0.25,
    ],
  ] as const)('is exact for %s', (_name, was, is, share) => {
    const [before, after] = [setOf(...was), setOf(...is)]
    const found = changeShareOf(before, after, 'a')
    expect(found).toBeCloseTo(share, 9)
    expect(Math.abs(counted(before, after) - share)).toBeLessThan(0.02)
  })

  it('is unknown where an attribute decides', () => {
    const rules = [{ attribute: 'plan', operator: 'equals', values: ['pro'], variant: null }]
    expect(changeShareOf(setOf(flag({ rollout_percentage: 0 })), setOf(flag({ rules })), 'a')).toBeNull()
  })
})

describe('divisions with the same salt', () => {
  const divided = (hash: string, rollout_percentage: number, ...weights: number[]) =>
    flag({
      flag_type: 'string',
      default_value: '',
      rollout_percentage,
      hash,
      rollout_salt: 's',
      variant_salt: 's',
      variants: variants(...weights),
    })

  it.each([
    ['launchdarkly', 50, [1, 3], 0.5],
    ['configcat', 25, [1, 7], 0.25],
    ['growthbook_1', 10, [1, 2], 0.1],
    ['growthbook_2', 33, [2, 1], 0.33],
  ] as const)(
    'place users alike by %s, so that their shares do not multiply',
    (hash, rollout, weights, share) => {
      const [before, after] = [setOf(divided(hash, 0, ...weights)), setOf(divided(hash, rollout, ...weights))]
      expect(changeShareOf(before, after, 'a')).toBeCloseTo(share, 9)
      expect(Math.abs(counted(before, after) - share)).toBeLessThan(0.02)
      const first = weights[0] / (weights[0] + weights[1])
      const limit = { value: 'v0', percent: Math.min(share, first) * 100 - 1 }
      expect(checkShare(after, 'a', [], limit).verdict).toBe('violated')
    },
  )

  it('are not decided where a hash divides by different sums', () => {
    const by = (...weights: number[]) => divided('unleash_variant', 100, ...weights)
    expect(changeShareOf(setOf(by(1, 1)), setOf(by(3, 1)), 'a')).toBeNull()
  })
})
