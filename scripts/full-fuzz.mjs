/**
 * The full fuzz run: 200,000 requests and more against three servers on one database. `node scripts/full-fuzz.mjs [seed]`.
 * Takes some twenty minutes; its figures are printed. What a run means is told in docs/fuzzing.md.
 */
import { spawnSync } from 'node:child_process'
import { bin, ensureBuilt, ensureInstalled, ROOT } from './prepare.mjs'

ensureInstalled()
ensureBuilt()
const [seed] = process.argv.slice(2)
const { status } = spawnSync(
  bin('vitest'),
  ['run', '--project', 'integration', 'packages/server/test/integration/fuzz.test.ts'],
  {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, BURGEE_FULL: '1', ...(seed !== undefined && { BURGEE_FUZZ_SEED: seed }) },
  },
)
process.exitCode = status ?? 1
