import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStage } from './harness/open-stage.ts'
import {
  type ExecutedChange,
  type ScheduledRun,
  scheduleThroughKills,
} from './harness/schedule-through-kills.ts'
import { type ExternalPostgres, startPostgres } from './harness/start-postgres.ts'

const IS_FULL = process.env.BURGEE_FULL === '1'
const WANTED = IS_FULL
  ? { changes: 1_000, overMs: 100_000, killEveryMs: 3_000 }
  : { changes: 60, overMs: 6_000, killEveryMs: 2_000 }
const PATIENCE_MS = IS_FULL ? 600_000 : 120_000

let postgres: ExternalPostgres
beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(() => postgres.close())

test(`each of ${WANTED.changes} scheduled changes is executed exactly once, in order, while servers are killed in turn`, {
  timeout: PATIENCE_MS,
}, async () => {
  const run = await scheduleThroughKills(openStage(), await postgres.createDatabase(), WANTED)
  report(run)
  const { changes } = run
  expect(changes).toHaveLength(WANTED.changes)
  expect(run.kills).toBeGreaterThan(1)
  // None missed, none repeated, none refused: the flag's update, its entry and its event are one transaction.
  const odd = changes.filter(
    ({ error, events, executed_at, executions }) =>
      executed_at === null || error !== null || executions !== 1 || events !== 1,
  )
  expect(odd).toEqual([])
  // None early.
  expect(changes.filter((change) => latenessOf(change) < 0)).toEqual([])
  // Those of an environment in the order of their time.
  for (const environment_id of new Set(changes.map((change) => change.environment_id))) {
    const times = changes
      .filter((change) => change.environment_id === environment_id)
      .map(({ scheduled_at }) => scheduled_at.getTime())
    expect(times).toEqual([...times].sort((left, right) => left - right))
  }
})

/** Returns the milliseconds from the due time to the start of the transaction that executed it. */
function latenessOf({ executed_at, scheduled_at }: ExecutedChange): number {
  return executed_at === null ? Number.POSITIVE_INFINITY : executed_at.getTime() - scheduled_at.getTime()
}

function report({ changes, kills, rolledBack }: ScheduledRun): void {
  const sorted = changes.map(latenessOf).sort((left, right) => left - right)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]
  process.stdout.write(
    `${changes.length} scheduled changes, 3 servers, ${kills} kills: late by ${at(0.5)} ms (p50), ${at(0.99)} ms (p99), ` +
      `${sorted.at(-1)} ms (longest); ${rolledBack} transactions rolled back\n`,
  )
}
