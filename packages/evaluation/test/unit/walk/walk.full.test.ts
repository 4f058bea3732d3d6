import { expect, test } from 'vitest'
import { compareWalks } from './compare-walks.ts'

/** Minutes on a busy machine. */
const TIMEOUT_MS = 1_200_000

/** `npm run full -- walk` walks 10,000 pairs of sets. */
const SETS = process.env.BURGEE_FULL ? 10_000 : 200

test(
  'no random user gets what a walk excludes, over many sets',
  () => {
    const { constant } = compareWalks(SETS, 100)
    expect(constant).toBeGreaterThan(SETS / 10)
  },
  TIMEOUT_MS,
)
