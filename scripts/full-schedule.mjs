/**
 * Runs the full test of scheduled changes: 1,000 over three servers, one of which is killed every 3 s. It
 * takes about two minutes and prints its figures.
 */
import { spawnSync } from 'node:child_process'
import { bin, ensureBuilt, ensureInstalled, ROOT } from './prepare.mjs'

ensureInstalled()
ensureBuilt()
const { status } = spawnSync(bin('vitest'), ['run', '--project', 'e2e', 'e2e/scheduled-changes.test.ts'], {
  cwd: ROOT,
  stdio: 'inherit',
  env: { ...process.env, BURGEE_FULL: '1' },
})
process.exitCode = status ?? 1
