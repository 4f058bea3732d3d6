import { expect, test } from 'vitest'
import { createFlagSet } from '../../src/index.ts'
import { aFlag } from './builders.ts'
import { referenceMurmur3 } from './reference/reference-murmur3.ts'

/** Minutes on a busy machine. */
const TIMEOUT_MS = 1_200_000

const USERS = 1_000_000
const STEPS = [0, 1, 999, 1000, 12_345, 50_000, 50_001, 99_000, 99_999, 100_000]

test(
  'a whole percentage in thousandths admits exactly the specified users, over a million keys',
  () => {
    const set = createFlagSet([aFlag({ rollout_thousandths: 37_000 })])
    for (let index = 0; index < USERS; index++) {
      const user = `user-${index}`
      if (set.isEnabled('flag', user) !== referenceMurmur3(`flag:${user}`) % 100 < 37) expect(user).toBe('')
    }
  },
  TIMEOUT_MS,
)

test(
  'raising a fine rollout removes no user, over a million keys',
  () => {
    const sets = STEPS.map((rollout_thousandths) => createFlagSet([aFlag({ rollout_thousandths })]))
    for (let index = 0; index < USERS; index++) {
      let wasInside = false
      for (const set of sets) {
        const isInside = set.isEnabled('flag', `user-${index}`)
        if (wasInside && !isInside) expect(index).toBe(-1)
        wasInside = isInside
      }
    }
  },
  TIMEOUT_MS,
)
