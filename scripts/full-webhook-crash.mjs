/**
 * Runs the full crash test of webhooks: 100 kills between sending and logging. It takes some minutes and
 * prints its figures.
 */
import { spawnSync } from 'node:child_process'
import { bin, ensureBuilt, ensureInstalled, ROOT } from './prepare.mjs'

ensureInstalled()
ensureBuilt()
const { status } = spawnSync(bin('vitest'), ['run', '--project', 'e2e', 'e2e/webhook-crash.test.ts'], {
  cwd: ROOT,
  stdio: 'inherit',
  env: { ...process.env, BURGEE_FULL: '1' },
})
process.exitCode = status ?? 1
