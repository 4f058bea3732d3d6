import { writeFileSync } from 'node:fs'

/** Tests name what they need in their titles: `hints over Redis (needs redis-server)`. */
const NEEDS = /\((needs [^)]+)\)/
const NO_REASON = 'no reason given'

/**
 * A Vitest reporter that writes the counts of a run to the file BURGEE_TEST_REPORT, for `scripts/test.mjs`:
 * the numbers of passed and failed tests, the skipped ones with their reasons, the names of failed tests and
 * of those that passed when they were repeated, and the messages of all failures.
 */
// biome-ignore lint/style/noDefaultExport: Vitest loads a reporter by its path
export default class ReportTests {
  onTestRunEnd(modules, unhandledErrors) {
    const report = {
      passed: 0,
      failed: unhandledErrors.length,
      skipped: {},
      failures: unhandledErrors.map(({ message }) => `outside of a test: ${message}`),
      repeated: [],
      messages: [],
    }
    const addErrors = (errors) => report.messages.push(...errors.map(({ message = '' }) => message))
    addErrors(unhandledErrors)
    for (const module of modules) {
      addErrors(module.errors())
      const failedBefore = report.failed
      for (const test of module.children.allTests()) addTest(report, test, addErrors)
      // A file that could not be loaded has no tests, and one whose hook failed has only skipped ones.
      if (module.state() === 'failed' && report.failed === failedBefore) {
        report.failed += 1
        report.failures.push(`${module.relativeModuleId}: could not be loaded, or a hook failed`)
      }
    }
    writeFileSync(process.env.BURGEE_TEST_REPORT, JSON.stringify(report))
  }
}

function addTest(report, test, addErrors) {
  const { errors = [], note, state } = test.result()
  const name = `${test.module.relativeModuleId}: ${test.fullName}`
  addErrors(errors)
  if (state === 'passed') {
    report.passed += 1
    if (test.diagnostic()?.flaky) report.repeated.push(name)
  } else if (state === 'failed') {
    report.failed += 1
    report.failures.push(name)
  } else {
    const reason = note ?? NEEDS.exec(test.fullName)?.[1] ?? NO_REASON
    report.skipped[reason] ??= []
    report.skipped[reason].push(name)
  }
}
