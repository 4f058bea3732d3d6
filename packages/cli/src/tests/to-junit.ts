import type { TestedEnvironment } from './tested-environment.ts'

/**
 * Writes decisions as a report of test cases in the format of JUnit, which pipelines read: a suite for each
 * environment, a failure for each invariant that does not hold.
 */
export function toJunit(tested: readonly TestedEnvironment[]): string {
  const failures = tested.reduce((sum, { checks }) => sum + countFailures(checks), 0)
  const tests = tested.reduce((sum, { checks }) => sum + checks.length, 0)
  const suites = tested.map(({ checks, environment }) => {
    const cases = checks.map(({ key, verdict, why = '' }) => {
      const name = `    <testcase classname="${escapeXml(environment)}" name="${escapeXml(key)}"`
      if (verdict === 'holds') return `${name}/>`
      return `${name}>\n      <failure type="${verdict}" message="${escapeXml(why)}"/>\n    </testcase>`
    })
    const head = `  <testsuite name="${escapeXml(environment)}" tests="${checks.length}" failures="${countFailures(checks)}">`
    return [head, ...cases, '  </testsuite>'].join('\n')
  })
  const head = `<testsuites name="burgee" tests="${tests}" failures="${failures}">`
  return `<?xml version="1.0" encoding="UTF-8"?>\n${[head, ...suites, '</testsuites>'].join('\n')}\n`
}

const countFailures = (checks: TestedEnvironment['checks']): number =>
  checks.filter(({ verdict }) => verdict !== 'holds').length

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}

/** Returns a text for an attribute. Characters that XML cannot have become question marks. */
const escapeXml = (text: string): string =>
  text
    // XML 1.0 section 2.2 leaves out control characters and single surrogates.
    .replace(/(?![\t\n\r])\p{Cc}|[\uD800-\uDFFF](?![\uDC00-\uDFFF])|[\uFFFE\uFFFF]/gu, '?')
    .replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character)
    .replace(/\s+/g, ' ')
