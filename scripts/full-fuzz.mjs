/**
 * Runs the full fuzz test: at least 200,000 requests against three servers on one database. `node
 * scripts/full-fuzz.mjs [seed]`. It takes about twenty minutes and prints its figures. docs/fuzzing.md
 * explains a run.
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
