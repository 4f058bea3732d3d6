/** Compares the build of this checkout with itself in one short round, and prints the results as JSON. */
import { compareBuilds } from '../../bench/compare/compare.mjs'
import { ROOT } from '../../bench/harness/paths.mjs'
import { startPostgres } from '../../bench/harness/start-postgres.mjs'
import { createServerStarter } from '../../bench/harness/start-server.mjs'
import { snapshot } from '../../bench/server/snapshot.mjs'

const WINDOW_MS = 200

const postgres = await startPostgres()
try {
  const context = {
    ...{ postgres, root: ROOT, startServer: createServerStarter() },
    ...{ quick: true, isComparison: true, progress() {} },
  }
  const compared = await compareBuilds({
    benches: [['snapshot', snapshot]],
    ...{ older: context, newer: context },
    ...{ rounds: 1, windowMs: WINDOW_MS },
  })
  process.stdout.write(JSON.stringify(compared))
} finally {
  await postgres.close()
}
