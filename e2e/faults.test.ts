import { appendFileSync, readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Fault } from './faults/fault.ts'
import { openStage } from './harness/open-stage.ts'

const SCALE = process.env.BURGEE_FULL === '1' ? 'full' : 'short'
/** Where `npm run faults` collects the results, one line of JSON each. */
const REPORT_FILE = process.env.BURGEE_FAULTS_REPORT
const TIMEOUT_MS = SCALE === 'full' ? 4 * 3_600_000 : 120_000

const ROWS = new URL('./faults/rows/', import.meta.url)
const names = readdirSync(ROWS)
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.slice(0, -'.ts'.length))
  .sort()

describe('the fault suite keeps its promises', () => {
  test.for(names)('%s', { timeout: TIMEOUT_MS }, async (name) => {
    const { fault }: { fault: Fault } = await import(new URL(`${name}.ts`, ROWS).href)
    const result = await fault.run(openStage(), SCALE)
    const { group, promise, title } = fault
    const line = JSON.stringify({ name, group, title, promise, ...result })
    if (REPORT_FILE !== undefined) appendFileSync(REPORT_FILE, `${line}\n`)
    expect(result.broken, `${title}: ${result.seen}`).toEqual([])
  })
})
