import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createManualClock } from '../../harness/manual-clock.ts'
import { startTestServer, type TestServer } from '../../harness/start-test-server.ts'

const NOW_MS = Date.UTC(2026, 5, 1)
const RUNS = Number(process.env.BURGEE_FULL === '1' ? 500 : 40)

let server: TestServer
let environment: string
let runs = 0

beforeAll(async () => {
  server = await startTestServer({ clock: createManualClock(new Date(NOW_MS).toISOString()) })
  environment = `/api/environments/${server.environments.production}`
})
afterAll(() => server.close())

/** Seconds from now: few different ones, so that many are equal; those of goals may be in the future. */
interface Happening {
  readonly kind: 'seen' | 'reached'
  readonly user: string | null
  readonly second: number
  readonly value: string
  /** True for another flag and another goal, which must not matter. */
  readonly isOther: boolean
}

const happening: fc.Arbitrary<Happening> = fc.record({
  kind: fc.constantFrom('seen', 'seen', 'reached'),
  user: fc.option(fc.constantFrom('ann', 'bob', 'cy', 'dee', 'eve', 'flo', 'é', ''), { freq: 8 }),
  second: fc.integer({ min: -4, max: 3 }),
  value: fc.constantFrom('a', 'b', 'c', ''),
  isOther: fc.nat({ max: 4 }).map((oneInFive) => oneInFive === 0),
})
/** Requests in the order of arrival, which is not the order of time. */
const history = fc.array(fc.array(happening, { minLength: 1, maxLength: 12 }), { maxLength: 8 })

const atOf = (second: number) => new Date(NOW_MS + second * 1_000).toISOString()

async function send(run: number, batch: readonly Happening[]) {
  const keyOf = (what: string, { isOther }: Happening) => `${what}-${run}${isOther ? '-other' : ''}`
  const impressions = batch
    .filter(({ kind }) => kind === 'seen')
    .map((seen) => ({
      flag_key: keyOf('flag', seen),
      user_id: seen.user,
      value: seen.value,
      evaluated_at: atOf(seen.second),
    }))
  const goals = batch
    .filter(({ kind }) => kind === 'reached')
    .map((reached) => ({
      event_key: keyOf('goal', reached),
      user_id: reached.user,
      occurred_at: atOf(reached.second),
    }))
  for (const [path, body] of [
    ['impressions', impressions],
    ['events', goals],
  ] as const) {
    if (body.length === 0) continue
    expect((await server.call({ path: `${environment}/${path}`, body })).status).toBe(204)
  }
}

/** Applies the attribution rules of docs/reference/reports.md#experiment-results to the whole history. */
function recount(batches: readonly (readonly Happening[])[]) {
  const all = batches
    .flat()
    .filter(({ isOther, user }) => !isOther && user !== null)
    // What lies ahead of the server's clock counts at its arrival, which is always now.
    .map((one) => ({ ...one, second: Math.min(one.second, 0) }))
  const seen = all.filter(({ kind }) => kind === 'seen')
  const reached = all.filter(({ kind }) => kind === 'reached')
  const counts: Record<string, { exposed: number; converted: number }> = {}
  for (const user of new Set(seen.map((one) => one.user))) {
    const own = seen.filter((one) => one.user === user)
    const firstSecond = Math.min(...own.map(({ second }) => second))
    const first = own.find(({ second }) => second === firstSecond)
    const converts = reached.some((one) => one.user === user && one.second >= firstSecond)
    const value = first?.value ?? ''
    const { converted, exposed } = counts[value] ?? { exposed: 0, converted: 0 }
    counts[value] = { exposed: exposed + 1, converted: converted + (converts ? 1 : 0) }
  }
  return counts
}

async function createExperiment(run: number): Promise<string> {
  const body = { name: 'x', key: `run-${run}`, flag_key: `flag-${run}`, goal_event_key: `goal-${run}` }
  expect((await server.call({ path: `${environment}/experiments`, body })).status).toBe(200)
  return `${environment}/experiments/run-${run}/results`
}

const toCounts = (variants: readonly { variant: string; exposed: number; converted: number }[]) =>
  Object.fromEntries(variants.map(({ converted, exposed, variant }) => [variant, { exposed, converted }]))

describe('the results over any history', () => {
  it('the results over any history equal a recount of every report, also in between', async () => {
    await fc.assert(
      fc.asyncProperty(history, fc.nat(), async (batches, look) => {
        const run = ++runs
        const path = await createExperiment(run)
        for (const [index, batch] of batches.entries()) {
          await send(run, batch)
          // The counts are kept between looks.
          if (index !== look % batches.length) continue
          const { body } = await server.call({ path })
          expect(toCounts(body.variants)).toEqual(recount(batches.slice(0, index + 1)))
        }
        const { body } = await server.call({ path })
        const expected = recount(batches)
        expect(toCounts(body.variants)).toEqual(expected)
        const total = (field: 'exposed' | 'converted') =>
          Object.values(expected).reduce((sum, count) => sum + count[field], 0)
        expect(body).toMatchObject({ total_exposed: total('exposed'), total_converted: total('converted') })
      }),
      { numRuns: RUNS },
    )
  })
})
