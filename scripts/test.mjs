/**
 * `npm test`: runs the tests of every behavior. `npm run test:full`: those that take long (`*.full.test.ts`).
 * `npm run test:all`: both, in one run. `npm run test:quick`: the tests of units and of the central
 * endpoints, in less than two minutes. Arguments are patterns of files. The last line has the counts:
 * `N passed, N failed`, and `N skipped` if any was.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findBrowserInstruction } from './browser-instruction.mjs'
import { bin, ensureBuilt, ensureInstalled, ROOT } from './prepare.mjs'
import { TIME_IS_OVER } from './report-tests.mjs'

const SUITES = ['full', 'all', 'quick']
/** Titles printed for each reason. */
const SHOWN_PER_REASON = 3
/** The time after the end of CI's time in which workers must end: a run that hangs is ended from here. */
const ENDING_MS = 120_000
const NO_REPORT = 'the run ended without a report'

const [first, ...others] = process.argv.slice(2)
const suite = SUITES.find((name) => first === `--${name}`)
const patterns = suite || first === undefined ? others : [first, ...others]

ensureInstalled()
await ensureBuilt()
const { report, hasEnded } = runSuite()
printSkipped(report.skipped)
const instruction = findBrowserInstruction(report.messages)
if (instruction !== null) console.log(instruction)
printNames('Passed only when repeated', report.repeated)
printNames('Failed', report.failures)
console.log(countsLine(report))
process.exitCode = hasEnded && report.failed === 0 ? 0 : 1

function runSuite() {
  const folder = mkdtempSync(join(tmpdir(), 'burgee-test-'))
  const file = join(folder, 'report.json')
  const run = spawnSync(
    bin('vitest'),
    ['run', '--reporter=default', '--reporter=./scripts/report-tests.mjs', ...patterns],
    {
      cwd: ROOT,
      stdio: 'inherit',
      shell: process.platform === 'win32',
      ...hardLimit(),
      env: { ...process.env, BURGEE_TEST_REPORT: file, BURGEE_TEST_SUITE: suite ?? '' },
    },
  )
  const nothing = {
    passed: 0,
    failed: 1,
    skipped: {},
    failures: [NO_REPORT],
    repeated: [],
    messages: [],
    isCanceled: false,
  }
  const report = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : nothing
  rmSync(folder, { recursive: true })
  // A run that was canceled by its reporter ends with 1, as one with failures does.
  return { report, hasEnded: run.status === 0 || (run.status === 1 && report.isCanceled) }
}

/** The reporter cancels the run when the time is over. This ends one that does not react. */
function hardLimit() {
  const until = process.env.BURGEE_TEST_UNTIL
  if (until === undefined) return {}
  const left = Number(until) * 1_000 - Date.now() + ENDING_MS
  return { timeout: Math.max(1, left), killSignal: /** @type {const} */ ('SIGKILL') }
}

function printSkipped(skipped) {
  for (const [reason, tests] of Object.entries(skipped)) {
    console.log(`\nSkipped, ${reason}: ${tests.length}`)
    if (reason === TIME_IS_OVER) {
      printFiles(tests)
      continue
    }
    for (const test of tests.slice(0, SHOWN_PER_REASON)) console.log(`  ${test}`)
    if (tests.length > SHOWN_PER_REASON) console.log(`  and ${tests.length - SHOWN_PER_REASON} more`)
  }
}

/** Prints every file with the number of its tests. */
function printFiles(tests) {
  const counts = new Map()
  for (const test of tests) {
    const [file] = test.split(': ')
    counts.set(file, (counts.get(file) ?? 0) + 1)
  }
  for (const [file, count] of counts) console.log(`  ${file}: ${count}`)
}

function printNames(title, names) {
  if (names.length === 0) return
  console.log(`\n${title}: ${names.length}`)
  for (const name of names) console.log(`  ${name}`)
}

function countsLine({ failed, passed, skipped }) {
  const count = Object.values(skipped).flat().length
  return `${passed} passed, ${failed} failed${count > 0 ? `, ${count} skipped` : ''}`
}
