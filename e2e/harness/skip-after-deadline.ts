import { beforeEach } from 'vitest'
import { skipBecause } from './skip-because.ts'

/**
 * The second since 1970 at which tests must be over. `.ci/run` sets it, because its time is limited. A test
 * that might last longer is not begun; one that does is canceled (`scripts/report-tests.mjs`).
 */
const UNTIL = process.env.BURGEE_TEST_UNTIL
/** The seconds that a test of the project may take. */
const LONGEST = Number(process.env.BURGEE_TEST_LONGEST ?? 60)

if (UNTIL !== undefined) {
  beforeEach((context) => {
    if (Date.now() > (Number(UNTIL) - LONGEST) * 1_000) skipBecause(context, 'the time of CI is over')
  })
}
