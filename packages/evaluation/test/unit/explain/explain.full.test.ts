import { test } from 'vitest'
import { compareExplanations } from './compare-explanations.ts'

/** Minutes on a busy machine. */
const TIMEOUT_MS = 1_200_000

/** `npm run full -- explain` compares a million pairs. */
const PAIRS = process.env.BURGEE_FULL ? 1_000_000 : 20_000

test(
  `an explanation is the evaluation, field by field, over ${PAIRS} pairs of flag and user`,
  () => {
    compareExplanations(PAIRS, { usersEach: 50, oneTraceIn: 20 })
  },
  TIMEOUT_MS,
)
