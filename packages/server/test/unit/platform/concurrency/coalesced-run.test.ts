import { expect, it } from 'vitest'
import { createCoalescedRun } from '../../../../src/platform/concurrency/coalesced-run.ts'

function startRuns(onRun: (count: number) => Promise<void> = async () => undefined) {
  const seen = { runs: 0, errors: [] as unknown[] }
  const runs = createCoalescedRun({
    async run() {
      seen.runs += 1
      await onRun(seen.runs)
    },
    onError: (error) => seen.errors.push(error),
    onRequestedMeanwhile: () => runs.request(),
  })
  return { runs, seen }
}

it('a coalesced run starts at once when nothing runs', async () => {
  const { runs, seen } = startRuns()
  runs.request()
  expect(seen.runs).toBe(1)
  await runs.idle()
  runs.request()
  expect(seen.runs).toBe(2)
})

it('a coalesced run that is requested many times during a run runs once more', async () => {
  let release = () => {}
  const gate = new Promise<void>((resolve) => {
    release = resolve
  })
  const { runs, seen } = startRuns(() => gate)
  for (let request = 0; request < 5; request += 1) runs.request()
  expect(seen.runs).toBe(1)
  release()
  await runs.idle()
  await runs.idle()
  expect(seen.runs).toBe(2)
})

it('a coalesced run that fails reports its error and can run again', async () => {
  const { runs, seen } = startRuns(async (count) => {
    if (count === 1) throw new Error('the database is unavailable')
  })
  runs.request()
  await runs.idle()
  runs.request()
  await runs.idle()
  expect(seen.errors).toEqual([new Error('the database is unavailable')])
  expect(seen.runs).toBe(2)
})
