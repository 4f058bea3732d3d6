import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { recountWithoutHashes, storedWithoutHashes } from '../packages/server/test/reports/recount-reports.ts'
import { openStage } from './harness/open-stage.ts'
import { type ReportRun, reportThroughKills } from './harness/report-through-kills.ts'
import { type ExternalPostgres, findEmbeddedPostgres, startPostgres } from './harness/start-postgres.ts'
import { withDatabase } from './harness/with-database.ts'

const IS_FULL = process.env.BURGEE_FULL === '1'
const KILLS = IS_FULL ? 50 : 4
const PATIENCE_MS = IS_FULL ? 3_600_000 : 240_000

describe(`a server killed with SIGKILL ${KILLS} times while reports arrive`, () => {
  let postgres: ExternalPostgres
  beforeAll(async () => {
    postgres = await startPostgres()
  })
  afterAll(() => postgres.close())

  test('SIGKILLs neither lose nor repeat an acknowledged batch on an external database', {
    timeout: PATIENCE_MS,
  }, async () => {
    const stage = openStage()
    const databaseUrl = await postgres.createDatabase()
    const run = await reportThroughKills(stage, { kills: KILLS, options: { databaseUrl } })
    await withDatabase(databaseUrl, (pool) => expectExactCounts(pool, run))
  })

  test('SIGKILLs neither lose nor repeat an acknowledged batch on the embedded database', {
    timeout: PATIENCE_MS,
  }, async () => {
    const stage = openStage()
    const dataDir = stage.folder('data')
    const run = await reportThroughKills(stage, { kills: KILLS, options: { dataDir } })
    const { url } = await findEmbeddedPostgres(dataDir)
    await withDatabase(url, (pool) => expectExactCounts(pool, run))
  })
})

async function expectExactCounts(
  pool: pg.Pool,
  { acknowledged, environment_id, ...run }: ReportRun,
): Promise<void> {
  expect(run.unanswered).toBeGreaterThan(0)
  for (const [table, column, names] of [
    ['impressions', 'value', acknowledged.impressions],
    ['goal_events', 'event_key', acknowledged.goals],
  ] as const) {
    const { rows } = await pool.query(
      `select ${column} as name, count(*)::int as rows from ${table} where environment_id = $1 group by 1`,
      [environment_id],
    )
    const stored = new Map(rows.map(({ name, rows }) => [name, rows]))
    expect(names.length).toBeGreaterThan(0)
    // Stored completely or not at all, and completely when it was acknowledged.
    expect([...stored.values()].filter((count) => count !== run.rowsPerBatch)).toEqual([])
    expect(names.filter((name) => !stored.has(name))).toEqual([])
  }
  const stored = await storedWithoutHashes(pool, environment_id)
  expect(stored).toEqual(await recountWithoutHashes(pool, environment_id))
}
