import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { ROOT } from './prepare.mjs'

/** Tests name what they need in their titles: `hints over Redis (needs redis-server)`. */
const NEEDS = /\((needs [^)]+)\)/
const NO_REASON = 'no reason given'

/** The second since 1970 at which tests must be over. `.ci/run` sets it, because its time is limited. */
const UNTIL = process.env.BURGEE_TEST_UNTIL
const MS_PER_SECOND = 1_000
/** The reason of tests that were skipped for want of time, also in `e2e/harness/skip-after-deadline.ts`. */
export const TIME_IS_OVER = 'the time of CI is over'

/**
 * A Vitest reporter that writes the counts of a run to the file BURGEE_TEST_REPORT, for `scripts/test.mjs`:
 * the numbers of passed and failed tests, the skipped ones with their reasons, the names of failed tests and
 * of those that passed when they were repeated, and the messages of all failures.
 *
 * It cancels the run when the time is over: what has not ended by then is skipped, with that reason.
 */
// biome-ignore lint/style/noDefaultExport: Vitest loads a reporter by its path
export default class ReportTests {
  #isOver = false
  #ended = []
  #endedInTime = new Set()
  #files = []

  onInit(vitest) {
    if (UNTIL === undefined) return
    const cancel = () => {
      this.#isOver = true
      this.#endedInTime = new Set(this.#ended)
      // Kept if the workers do not end.
      this.#write(this.#ended, [])
      vitest.cancelCurrentRun('keyboard-input')
    }
    setTimeout(cancel, Math.max(0, Number(UNTIL) * MS_PER_SECOND - Date.now())).unref()
  }

  onTestRunStart(specifications) {
    this.#files = specifications.map(({ moduleId, project }) => ({ moduleId, project: project.name }))
  }

  onTestModuleEnd(module) {
    this.#ended.push(module)
  }

  onTestRunEnd(modules, unhandledErrors) {
    this.#write(modules, unhandledErrors)
  }

  #write(modules, unhandledErrors) {
    const report = {
      passed: 0,
      failed: unhandledErrors.length,
      skipped: {},
      failures: unhandledErrors.map(({ message }) => `outside of a test: ${message}`),
      repeated: [],
      messages: [],
      isCanceled: this.#isOver,
    }
    const addErrors = (errors) => report.messages.push(...errors.map(({ message = '' }) => message))
    addErrors(unhandledErrors)
    for (const module of modules) {
      addErrors(module.errors())
      const failedBefore = report.failed
      // Of a file that had not ended when the time was over, what failed may have been cut off.
      const isCut = this.#isOver && !this.#endedInTime.has(module)
      for (const test of module.children.allTests()) addTest(report, test, addErrors, isCut)
      // A file that could not be loaded has no tests, and one whose hook failed has only skipped ones.
      if (module.state() === 'failed' && report.failed === failedBefore && !isCut) {
        report.failed += 1
        report.failures.push(`${module.relativeModuleId}: could not be loaded, or a hook failed`)
      }
    }
    if (this.#isOver) addFilesNotRun(report, this.#files, modules)
    writeFileSync(process.env.BURGEE_TEST_REPORT, JSON.stringify(report))
  }
}

/** Counts a file that was not begun, or has not ended, as one skipped test. */
function addFilesNotRun(report, files, modules) {
  const known = new Set(
    modules
      .filter((module) => [...module.children.allTests()].length > 0)
      .map(({ moduleId, project }) => `${project.name} ${moduleId}`),
  )
  for (const { moduleId, project } of files)
    if (!known.has(`${project} ${moduleId}`)) addSkipped(report, TIME_IS_OVER, relative(ROOT, moduleId))
}

function addSkipped(report, reason, name) {
  report.skipped[reason] ??= []
  report.skipped[reason].push(name)
}

function addTest(report, test, addErrors, isCut) {
  const { errors = [], note, state } = test.result()
  const name = `${test.module.relativeModuleId}: ${test.fullName}`
  addErrors(errors)
  if (state === 'passed') {
    report.passed += 1
    if (test.diagnostic()?.flaky) report.repeated.push(name)
  } else if (state === 'failed' && !(isCut && endedLate(test))) {
    report.failed += 1
    report.failures.push(name)
  } else {
    const reason = NEEDS.exec(test.fullName)?.[1] ?? NO_REASON
    // Vitest gives canceled tests a note of its own.
    const isCanceled = isCut && (state === 'failed' || note === undefined || CANCELED.test(note))
    addSkipped(report, isCanceled ? TIME_IS_OVER : (note ?? reason), name)
  }
}

/** Tests whether a test ended when the time was over. */
function endedLate(test) {
  const { duration = 0, startTime = 0 } = test.diagnostic() ?? {}
  return startTime + duration >= Number(UNTIL) * MS_PER_SECOND
}

const CANCELED = /aborted|cancel/i
