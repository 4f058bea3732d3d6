import { expect, test } from 'vitest'
import { compareExplorations } from './compare-explorations.ts'

/** Minutes on a busy machine, and hours for many sets. */
const TIMEOUT_MS = 36_000_000

const { BURGEE_FULL, BURGEE_EXPLORE_SETS, BURGEE_EXPLORE_USERS } = process.env
/** `npm run full -- explore` takes 10,000 pairs of sets with 100 users each, unless variables differ. */
const SETS = Number(BURGEE_EXPLORE_SETS ?? (BURGEE_FULL ? 10_000 : 200))
const USERS = Number(BURGEE_EXPLORE_USERS ?? 100)

test(
  'no random user gets what an exploration excludes, over many sets',
  () => {
    const { constant, pairs, undecided, varies } = compareExplorations(SETS, USERS)
    expect(constant).toBeGreaterThan(SETS / 10)
    if (!BURGEE_FULL) return
    const proofs = constant + pairs
    process.stdout.write(
      `${SETS} pairs of sets: ${proofs} proofs (${constant} constants, ${pairs} sets of pairs), none refuted by ` +
        `${proofs * USERS} random users; ${varies} vary, ${undecided} undecided\n`,
    )
  },
  TIMEOUT_MS,
)
