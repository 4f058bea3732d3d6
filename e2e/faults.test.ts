import { appendFileSync } from 'node:fs'
import { afterAll, describe, expect, test } from 'vitest'
import { listFaultNames, loadFault } from './faults/list-faults.ts'
import { closeSharedPostgres } from './faults/shared-postgres.ts'
import { openStage } from './harness/open-stage.ts'
import { skipBecause } from './harness/skip-because.ts'

const SCALE = process.env.BURGEE_FULL === '1' ? 'full' : 'short'
/** `npm run faults` reads here what each row reports, one line of JSON each. */
const REPORT_FILE = process.env.BURGEE_FAULTS_REPORT
/** Set: the rows are only described. */
const IS_LIST = process.env.BURGEE_FAULTS_LIST === '1'
const TIMEOUT_MS = SCALE === 'full' ? 4 * 3_600_000 : 120_000

afterAll(closeSharedPostgres)

describe('the fault suite keeps its promises', () => {
  test.for(listFaultNames())('%s', { timeout: TIMEOUT_MS }, async (name, context) => {
    const fault = await loadFault(name)
    const { group, promise, title } = fault
    const report = (result: object) => {
      const line = JSON.stringify({ name, group, title, promise, ...result })
      if (REPORT_FILE !== undefined) appendFileSync(REPORT_FILE, `${line}\n`)
    }
    if (IS_LIST) return report({})
    const result = await fault.run(openStage(), SCALE).catch((error: unknown) => {
      const broken = [`the run ended early: ${error instanceof Error ? error.message : String(error)}`]
      report({ times: 'once', seen: '', broken })
      throw error
    })
    report(result)
    if (result.skipped !== undefined) skipBecause(context, result.skipped)
    expect(result.broken, `${title}: ${result.seen}`).toEqual([])
  })
})
