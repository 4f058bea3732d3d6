import { test } from 'vitest'
import { compareComplements } from './reference/compare-complements.ts'

/** Minutes on a busy machine. */
const TIMEOUT_MS = 1_200_000
const PAIRS = process.env.BURGEE_FULL ? 1_000_000 : 200_000

test(
  `a complement holds exactly when its operator does not, for ${PAIRS} random pairs`,
  () => {
    compareComplements(PAIRS)
  },
  TIMEOUT_MS,
)
