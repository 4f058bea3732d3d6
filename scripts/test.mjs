/**
 * `npm test`: runs every test. Its last line counts them: `N passed, N failed`, and `N skipped` if any was.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findBrowserInstruction } from './browser-instruction.mjs'
import { bin, ensureBuilt, ensureInstalled, ROOT } from './prepare.mjs'

ensureInstalled()
ensureBuilt()
const folder = mkdtempSync(join(tmpdir(), 'burgee-test-'))
const report = join(folder, 'report.json')
const { status } = spawnSync(
  bin('vitest'),
  ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...process.argv.slice(2)],
  { cwd: ROOT, stdio: 'inherit', shell: process.platform === 'win32' },
)
const { numFailedTests, numPassedTests, numPendingTests, numTodoTests, testResults } = JSON.parse(
  readFileSync(report, 'utf8'),
)
rmSync(folder, { recursive: true })
// A file that could not be loaded has no tests, and is a failure nevertheless.
const broken = testResults.filter(
  (file) => file.status === 'failed' && file.assertionResults.length === 0,
).length
const failed = numFailedTests + broken
const skipped = numPendingTests + numTodoTests
const instruction = findBrowserInstruction(testResults)
if (instruction !== null) console.log(instruction)
console.log(`${numPassedTests} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
process.exitCode = status === 0 && failed === 0 ? 0 : 1
