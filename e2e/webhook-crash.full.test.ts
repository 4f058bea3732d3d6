import { afterAll, beforeAll, expect, test } from 'vitest'
import { deliverThroughKills, type KillsRun } from './harness/deliver-through-kills.ts'
import { openStage } from './harness/open-stage.ts'
import { type ExternalPostgres, startPostgres } from './harness/start-postgres.ts'

const IS_FULL = process.env.BURGEE_FULL === '1'
const WANTED = IS_FULL ? { kills: 100, changesPerLife: 5 } : { kills: 6, changesPerLife: 3 }
const PATIENCE_MS = IS_FULL ? 3_600_000 : 180_000

let postgres: ExternalPostgres
beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(() => postgres.close())

test(`${WANTED.kills} kills lose no event, and each repeats at most one, under the same webhook-id`, {
  timeout: PATIENCE_MS,
}, async () => {
  const run = await deliverThroughKills(openStage(), await postgres.createDatabase(), WANTED)

  const byId = new Map<string, Set<number>>()
  for (const { body, headers } of run.received) {
    const id = String(headers['webhook-id'])
    byId.set(id, (byId.get(id) ?? new Set()).add(body.data.flag.revision))
  }
  report(run, byId.size)
  // Each id belongs to one event, and each event has arrived.
  expect([...byId.values()].every((revisions) => revisions.size === 1)).toBe(true)
  const revisions = [...byId.values()].flatMap((each) => [...each])
  expect(new Set(revisions).size).toBe(run.events)
  expect(byId.size).toBe(run.events)
  expect(run.received.length - byId.size).toBeLessThanOrEqual(run.kills)
  // First deliveries are in the order of events.
  expect(revisions).toEqual([...revisions].sort((left, right) => left - right))
})

function report({ events, kills, received }: KillsRun, delivered: number): void {
  process.stdout.write(
    `${events} events, ${kills} kills: ${delivered} delivered, ${received.length - delivered} of them sent twice\n`,
  )
}
