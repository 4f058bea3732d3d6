/**
 * Runs the full crash tests, of writes and of reports: 50 kills on each kind of database. It takes some
 * minutes and prints its figures.
 */
import { spawnSync } from 'node:child_process'
import { bin, ensureBuilt, ensureInstalled, ROOT } from './prepare.mjs'

ensureInstalled()
ensureBuilt()
const { status } = spawnSync(
  bin('vitest'),
  ['run', '--project', 'e2e', 'e2e/crash.test.ts', 'e2e/ingest-crash.test.ts'],
  {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, BURGEE_FULL: '1' },
  },
)
process.exitCode = status ?? 1
