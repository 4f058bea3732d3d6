import { test } from 'vitest'
import { compareWithReference } from './reference/random-pattern.ts'

/** Minutes on a busy machine. */
const TIMEOUT_MS = 1_200_000

test(
  '100,000 random patterns match what RE2 matches',
  () => {
    compareWithReference(100_000)
  },
  TIMEOUT_MS,
)
