import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { COUNTERS, type CrashRun, crashRepeatedly } from './harness/crash-repeatedly.ts'
import { openStage } from './harness/open-stage.ts'
import { type ExternalPostgres, findEmbeddedPostgres, startPostgres } from './harness/start-postgres.ts'

const IS_FULL = process.env.BURGEE_FULL === '1'
const KILLS = IS_FULL ? 50 : 4
const PATIENCE_MS = IS_FULL ? 3_600_000 : 240_000

describe(`a server killed with SIGKILL ${KILLS} times during 200 writes a second`, () => {
  let postgres: ExternalPostgres
  beforeAll(async () => {
    postgres = await startPostgres()
  })
  afterAll(() => postgres.close())

  test('SIGKILLs lose no acknowledged write on the embedded database', { timeout: PATIENCE_MS }, async () => {
    const stage = openStage()
    const dataDir = stage.folder('data')
    const run = await crashRepeatedly(stage, {
      kills: KILLS,
      options: { dataDir },
      databaseUrl: async () => (await findEmbeddedPostgres(dataDir)).url,
    })
    report('embedded', run)
    expectNothingLost(run)
    expectNoFlicker(run)
    // No database process is left of any of the killed servers.
    expect(existsSync(join(dataDir, 'postgresql', 'postmaster.pid'))).toBe(false)
  })

  test('SIGKILLs lose no acknowledged write on an external database', { timeout: PATIENCE_MS }, async () => {
    const stage = openStage()
    const databaseUrl = await postgres.createDatabase()
    const run = await crashRepeatedly(stage, {
      kills: KILLS,
      options: { databaseUrl },
      databaseUrl: async () => databaseUrl,
    })
    report('external', run)
    expectNothingLost(run)
    expectNoFlicker(run)
  })
})

function expectNothingLost({ acknowledged, stored }: CrashRun): void {
  const { audit, changes, flags, revision } = stored

  // Revisions have no gaps.
  expect(changes.map((change) => change.revision)).toEqual(
    Array.from({ length: revision }, (_, index) => index + 1),
  )

  // Every acknowledged write is stored, with the revision of its response.
  const storedValues = new Map(changes.map((change) => [change.revision, change]))
  const lost = acknowledged.filter(({ flag_key, revision: given, value }) => {
    const change = storedValues.get(given)
    return change?.flag_key !== flag_key || change.value !== value
  })
  expect(lost).toEqual([])
  expect(acknowledged.length).toBeGreaterThan(0)

  for (const key of COUNTERS) {
    const written = changes.filter(({ flag_key }) => flag_key === key)
    const entries = audit.filter(({ flag_key }) => flag_key === key)
    // The flag is that of its last change.
    expect(flags.get(key)).toBe(written.at(-1)?.value)
    // One write is one entry, and each starts with the result of the one before.
    expect(entries.map(({ after, revision: at }) => ({ after, at }))).toEqual(
      written.map(({ revision: at, value }) => ({ after: value, at })),
    )
    expect(entries.map(({ before }) => before)).toEqual([
      null,
      ...entries.slice(0, -1).map(({ after }) => after),
    ])
  }
}

function expectNoFlicker({ observers, stored }: CrashRun): void {
  for (const { evaluations, ready, seen, stale } of observers) {
    expect(evaluations).toBeGreaterThan(0)
    expect(stale).toBeGreaterThanOrEqual(KILLS)
    expect(ready).toBeGreaterThan(KILLS)
    for (const key of COUNTERS) {
      const values = seen[key] ?? []
      const applied = new Set(
        stored.changes.filter(({ flag_key }) => flag_key === key).map(({ value }) => value),
      )
      // Only values that were applied: never the fallback or a partial bootstrap.
      expect(values.filter((value) => !applied.has(value))).toEqual([])
      // Never an older value after a newer one.
      expect(values.filter((value, index) => index > 0 && value <= (values[index - 1] ?? 0))).toEqual([])
      // The last value at the end.
      expect(values.at(-1)).toBe(stored.flags.get(key))
    }
  }
}

function report(database: string, run: CrashRun): void {
  const { acknowledged, observers, restartsMs, stored, unanswered, writesPerSecond } = run
  const evaluations = observers.reduce((sum, observer) => sum + observer.evaluations, 0)
  const sorted = [...restartsMs].sort((left, right) => left - right)
  process.stdout.write(
    `${database} database: ${KILLS} kills, ${acknowledged.length} writes acknowledged (${writesPerSecond} a second), ${unanswered} unanswered, ` +
      `revision ${stored.revision}, ${stored.audit.length} audit entries, ${evaluations} evaluations in ` +
      `${observers.length} SDKs, listening again after ${sorted[Math.floor(sorted.length / 2)]} ms (median), ${sorted.at(-1)} ms (longest)\n`,
  )
}
