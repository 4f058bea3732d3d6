import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import {
  beforeAnalyses,
  countInTurn,
  inShortTurns,
  inTurns,
  shareTurn,
} from '../../src/platform/concurrency/turns.ts'

/** Steps that use up a slice each. */
function* steps(taken: number[], count: number): Generator<void, number> {
  for (let step = 0; step < count; step += 1) {
    const end = performance.now() + 10
    while (performance.now() < end);
    taken.push(step)
    yield
  }
  return taken.length
}

it('an analysis pauses while a change is delivered, and other computations do not', async () => {
  const analyzed: number[] = []
  const computed: number[] = []
  let deliver = (): void => undefined
  const delivered = beforeAnalyses(() => new Promise<void>((resolve) => (deliver = resolve)))
  const analysis = inShortTurns(steps(analyzed, 3))
  const before = analyzed.length
  expect(await inTurns(steps(computed, 1))).toBe(1)
  expect(analyzed.length).toBe(before)
  deliver()
  await delivered
  expect(await analysis).toBe(3)
})

it('an analysis goes on beside changes that never end', async () => {
  let isEnded = false
  const writing = (async () => {
    while (!isEnded) await beforeAnalyses(() => Promise.all([turn(), turn()]))
  })()
  const endless = beforeAnalyses(async () => {
    while (!isEnded) await turn()
  })
  expect(await inShortTurns(steps([], 5))).toBe(5)
  isEnded = true
  await Promise.all([writing, endless])
})

it('a computation waits for the next turn behind a long parse of this one', async () => {
  // A turn of its own, in which nothing has run.
  await turn()
  await turn()
  let isNext = false
  setImmediate(() => {
    isNext = true
  })
  countInTurn(() => [...steps([], 1)])
  await shareTurn()
  expect(isNext).toBe(true)
})
