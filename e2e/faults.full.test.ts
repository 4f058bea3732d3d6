import { appendFileSync } from 'node:fs'
import { afterAll, describe, expect, test } from 'vitest'
import { listFaultNames, loadFault } from './faults/list-faults.ts'
import { closeSharedPostgres } from './faults/shared-postgres.ts'
import { closeSharedServers } from './faults/shared-server.ts'
import { openStage } from './harness/open-stage.ts'
import { skipBecause } from './harness/skip-because.ts'
import { within } from './harness/within.ts'

const SCALE = process.env.BURGEE_FULL === '1' ? 'full' : 'short'
/** The file in which `npm run faults` reads the report of each row, one line of JSON each. */
const REPORT_FILE = process.env.BURGEE_FAULTS_REPORT
/** True when the rows are only described. */
const IS_LIST = process.env.BURGEE_FAULTS_LIST === '1'
const MINUTE_MS = 60_000
/** The time after which a row hangs. It fails, and the rows after it run. */
const ROW_LIMIT_MS = SCALE === 'full' ? 30 * MINUTE_MS : 2 * MINUTE_MS

afterAll(async () => {
  await closeSharedServers()
  await closeSharedPostgres()
})

describe('the fault suite keeps its promises', () => {
  test.for(listFaultNames())(
    'the server keeps its promise about %s',
    { timeout: ROW_LIMIT_MS + MINUTE_MS },
    async (name, context) => {
      const fault = await loadFault(name)
      const { group, promise, title } = fault
      const report = (result: object) => {
        const line = JSON.stringify({ name, group, title, promise, ...result })
        if (REPORT_FILE !== undefined) appendFileSync(REPORT_FILE, `${line}\n`)
      }
      if (IS_LIST) return report({})
      const running = within(ROW_LIMIT_MS, `the end of ${name}`, fault.run(openStage(), SCALE))
      const result = await running.catch((error: unknown) => {
        const broken = [`the run ended early: ${error instanceof Error ? error.message : String(error)}`]
        report({ times: 'once', seen: '', broken })
        throw error
      })
      report(result)
      if (result.skipped !== undefined) skipBecause(context, result.skipped)
      expect(result.broken, `${title}: ${result.seen}`).toEqual([])
    },
  )
})
