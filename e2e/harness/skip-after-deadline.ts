import { beforeEach } from 'vitest'
import { skipBecause } from './skip-because.ts'

/** The second since 1970 after which no test begins. `.ci/run` sets it, because its time is limited. */
const UNTIL = process.env.BURGEE_TEST_UNTIL

if (UNTIL !== undefined) {
  beforeEach((context) => {
    if (Date.now() > Number(UNTIL) * 1_000) skipBecause(context, 'the time of CI is over')
  })
}
