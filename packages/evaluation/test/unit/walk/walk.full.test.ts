import { expect, test } from 'vitest'
import { compareWalks } from './compare-walks.ts'

/** Minutes on a busy machine, and hours for many sets. */
const TIMEOUT_MS = 36_000_000

const { BURGEE_FULL, BURGEE_WALK_SETS, BURGEE_WALK_USERS } = process.env
/** `npm run full -- walk` walks 10,000 pairs of sets with 100 users each, unless variables say otherwise. */
const SETS = Number(BURGEE_WALK_SETS ?? (BURGEE_FULL ? 10_000 : 200))
const USERS = Number(BURGEE_WALK_USERS ?? 100)

test(
  'no random user gets what a walk excludes, over many sets',
  () => {
    const { constant, pairs, undecided, varies } = compareWalks(SETS, USERS)
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
