import { test } from 'vitest'
import { compareWithReference } from './reference/random-pattern.ts'

/** Minutes on a busy machine. */
const TIMEOUT_MS = 1_200_000
const PATTERNS = process.env.BURGEE_FULL ? 100_000 : 20_000

test(
  `${PATTERNS} random patterns match what RE2 matches`,
  () => {
    compareWithReference(PATTERNS)
  },
  TIMEOUT_MS,
)
