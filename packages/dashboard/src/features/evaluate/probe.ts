import type { Flag } from '@burgee/contract'
import { type Condition, createFlagSet, listRequirements } from '@burgee/evaluation'
import type { Subject } from './subject.ts'

/**
 * Parts of a flag, each evaluated by the evaluator itself in a flag that has only that part. So an
 * explanation cannot drift from what SDKs do.
 */

/** Evaluates one test of one attribute: true if it holds. */
export function holds(condition: Condition, { attributes, user_key }: Subject): boolean {
  const flag = { key: 'probe', is_enabled: true, rollout_percentage: 0, rules: [condition] }
  const requires = listRequirements(flag)
  return createFlagSet([{ ...flag, requires }]).resolve('probe', user_key, attributes).enabled
}

/** Evaluates the rollout of a flag alone: true if the user is inside. */
export function isInRollout(flag: Flag, { attributes, user_key }: Subject): boolean {
  const alone = { ...flag, is_enabled: true, rules: [], prerequisites: [], variants: [] }
  return createFlagSet([alone]).resolve(flag.key, user_key, attributes).enabled
}

/** The user's place in the rollout of a flag, 0 to 99: inside when it is below the percentage. */
export function findBucket(flag_key: string, user_key: string): number {
  const isInside = (rollout_percentage: number) =>
    createFlagSet([{ key: flag_key, is_enabled: true, rollout_percentage }]).resolve(flag_key, user_key)
      .enabled
  let [low, high] = [1, 100]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (isInside(middle)) high = middle
    else low = middle + 1
  }
  return low - 1
}
