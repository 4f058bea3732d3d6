import { describe, expect, test } from 'vitest'
import { findBrowserInstruction } from '../scripts/browser-instruction.mjs'
import { chooseBrowser } from './harness/choose-browser.ts'

const problem = 'error while loading shared libraries: libnss3.so'
const BROWSER = { path: '/usr/bin/chromium', address: 'ws://127.0.0.1:1234/a' }

describe('a browser that does not start', () => {
  test.each([{}, { CI: 'true' }, { SKIP_BROWSER_TESTS: '0' }, { SKIP_BROWSER_TESTS: '' }])(
    'a browser that does not start fails the tests that need it, with an instruction (%o)',
    (env) => {
      expect(() => chooseBrowser({ problem }, env)).toThrow(/libnss3\.so\)\. Run .*SKIP_BROWSER_TESTS=1/)
    },
  )

  test('a browser that does not start skips the tests when SKIP_BROWSER_TESTS is set', () => {
    const env = { SKIP_BROWSER_TESTS: '1' }
    expect(chooseBrowser({ problem }, env)).toEqual({ skipped: 'SKIP_BROWSER_TESTS is set' })
    expect(chooseBrowser(BROWSER, env)).toHaveProperty('skipped')
  })

  test('a browser that does not start is reported in one line at the end of a run', () => {
    let failure = ''
    try {
      chooseBrowser({ problem }, {})
    } catch (error) {
      failure = String(error)
    }
    const failed = `${failure}\n    at somewhere`
    expect(findBrowserInstruction(['another', failed, failed])).toMatch(
      /^No browser starts here \(.*browser\.$/,
    )
    expect(findBrowserInstruction(['another'])).toBeNull()
  })

  test('a browser that starts skips no test', () => {
    expect(chooseBrowser(BROWSER, {})).toEqual(BROWSER)
  })
})
