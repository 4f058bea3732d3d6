import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createExperimentCounts } from '../../../../src/insight/experiments/experiment-counts.ts'
import type { ExperimentCount } from '../../../../src/insight/experiments/experiment-results.ts'
import type { CountedPair } from '../../../../src/insight/experiments/queries.ts'

const pair = (flag_key: string): CountedPair => ({
  environment_id: 'e',
  flag_key,
  goal_event_key: 'g',
  always: [],
})
const A = pair('a')

const countOf = (variant: string, exposed: number): ExperimentCount => ({
  variants: [{ variant, exposed, converted: 0 }],
  total_exposed: exposed,
  total_converted: 0,
})

/** Creates a database of one number that is counted, which takes as long as the test decides. */
function start({ beside = 0 } = {}) {
  const state = { nowMs: 0, users: 0, took_ms: 0, counts: 0, atOnce: 0, mostAtOnce: 0 }
  const waiting: (() => void)[] = []
  let isHeld = false
  const warnings: unknown[] = []
  const counts = createExperimentCounts({
    clock: { monotonicMs: () => state.nowMs },
    log: { warn: (...said: unknown[]) => void warnings.push(said) },
    readVersions: async () => ({ impressions: state.users, goals: 0 }),
    async count({ flag_key }) {
      state.counts += 1
      state.atOnce += 1
      state.mostAtOnce = Math.max(state.mostAtOnce, state.atOnce)
      const { users } = state
      if (isHeld) await new Promise<void>((resolve) => waiting.push(resolve))
      state.atOnce -= 1
      state.nowMs += state.took_ms
      return { ...countOf(flag_key, users), total_exposed: users + beside }
    },
  })
  return {
    state,
    warnings,
    counts,
    hold: () => {
      isHeld = true
    },
    release: () => {
      isHeld = false
      for (const resolve of waiting.splice(0)) resolve()
    },
  }
}

const exposedOf = ({ variants }: ExperimentCount) => variants[0]?.exposed
const turns = async () => {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('counts of an experiment', () => {
  it('counts are cached while nothing is reported', async () => {
    const { counts, state } = start()
    await counts.find(A)
    state.nowMs = 1e9
    await counts.find(A)
    expect(state.counts).toBe(1)
    await counts.find(pair('b'))
    expect(state.counts).toBe(2)
  })

  it('counts include every earlier report when counting is fast', async () => {
    const { counts, state } = start()
    for (state.users = 1; state.users < 50; state.users += 1) {
      expect(exposedOf(await counts.find(A))).toBe(state.users)
    }
  })

  it('concurrent callers share one count, and a caller after a report gets a new one', async () => {
    const { counts, hold, release, state } = start()
    hold()
    const first = [counts.find(A), counts.find(A), counts.find(A)]
    await turns()
    state.users = 5
    const second = [counts.find(A), counts.find(A)]
    await turns()
    release()
    expect((await Promise.all(first)).map(exposedOf)).toEqual([0, 0, 0])
    expect((await Promise.all(second)).map(exposedOf)).toEqual([5, 5])
    expect(state).toMatchObject({ counts: 2, mostAtOnce: 1 })
  })

  it('counts of many users are the last ones when counting takes over 40 ms, and new ones once available', async () => {
    const { counts, hold, release, state } = start({ beside: 20_001 })
    await counts.find(A)
    state.users = 1
    hold()
    const asked = counts.find(A)
    await vi.advanceTimersByTimeAsync(39)
    let responded = false
    void asked.then(() => {
      responded = true
    })
    await turns()
    expect(responded).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(exposedOf(await asked)).toBe(0)
    release()
    await turns()
    expect(exposedOf(await counts.find(A))).toBe(1)
    expect(state.counts).toBe(2)
  })

  it('new counts are awaited when the last ones are more than 5 s old', async () => {
    const { counts, hold, release, state } = start()
    await counts.find(A)
    state.nowMs = 5_001
    state.users = 1
    hold()
    const asked = counts.find(A)
    await vi.advanceTimersByTimeAsync(1_000)
    release()
    expect(exposedOf(await asked)).toBe(1)
  })

  it('slow counts of many users are returned from the cache, and paused before they are repeated', async () => {
    const { counts, state } = start({ beside: 20_001 })
    state.took_ms = 100
    await counts.find(A)
    state.users = 1
    state.nowMs = 499
    expect(exposedOf(await counts.find(A))).toBe(0)
    await turns()
    expect(state.counts).toBe(1)
    state.nowMs = 500
    expect(exposedOf(await counts.find(A))).toBe(0)
    await turns()
    expect(state.counts).toBe(2)
    expect(exposedOf(await counts.find(A))).toBe(1)
  })

  it('new counts of few users are always awaited, however long the last ones took', async () => {
    const { counts, hold, release, state } = start({ beside: 19_000 })
    state.took_ms = 100
    await counts.find(A)
    state.users = 1
    hold()
    const asked = counts.find(A)
    await vi.advanceTimersByTimeAsync(1_000)
    release()
    expect(exposedOf(await asked)).toBe(1)
  })

  it('new counts are awaited at most once more, also when versions go back', async () => {
    const { counts, hold, release, state } = start()
    state.users = 5
    hold()
    const first = counts.find(A)
    await turns()
    state.users = 6
    const second = counts.find(A)
    await turns()
    state.users = 0
    release()
    expect(exposedOf(await first)).toBe(5)
    expect(exposedOf(await second)).toBe(0)
    expect(state.counts).toBe(2)
  })

  it('counts of several experiments run two at a time', async () => {
    const { counts, hold, release, state } = start()
    hold()
    const asked = ['a', 'b', 'c', 'd'].map((flag_key) => counts.find(pair(flag_key)))
    await turns()
    expect(state.counts).toBe(2)
    release()
    await Promise.all(asked)
    expect(state).toMatchObject({ counts: 4, mostAtOnce: 2 })
  })

  it('a failed count is reported to those who wait for it, and repeated for the next', async () => {
    let fails = true
    const counts = createExperimentCounts({
      clock: { monotonicMs: () => 0 },
      log: { warn: () => undefined },
      readVersions: async () => ({ impressions: 1, goals: 1 }),
      count: async () => {
        if (fails) throw new Error('the database is unavailable')
        return countOf('a', 0)
      },
    })
    await expect(counts.find(A)).rejects.toThrow('unavailable')
    fails = false
    expect(exposedOf(await counts.find(A))).toBe(0)
  })

  it('a failed count in the background is logged', async () => {
    let versions = 1
    let fail: (error: Error) => void = () => undefined
    const warnings: unknown[] = []
    const counts = createExperimentCounts({
      clock: { monotonicMs: () => 0 },
      log: { warn: (...said: unknown[]) => void warnings.push(said) },
      readVersions: async () => ({ impressions: versions, goals: 0 }),
      count: () =>
        versions === 1
          ? Promise.resolve(countOf('a', 20_001))
          : new Promise((_resolve, reject) => {
              fail = reject
            }),
    })
    await counts.find(A)
    versions = 2
    const asked = counts.find(A)
    await vi.advanceTimersByTimeAsync(40)
    expect(exposedOf(await asked)).toBe(20_001)
    fail(new Error('too late'))
    await turns()
    expect(warnings).toHaveLength(1)
  })

  it('cached counts take bounded memory: the least recently used are evicted', async () => {
    const { counts, state } = start()
    const large = (n: number) => pair(`${n}`.padEnd(1024 * 1024, 'x'))
    for (let n = 0; n < 12; n += 1) await counts.find(large(n))
    expect(state.counts).toBe(12)
    await counts.find(large(11))
    expect(state.counts).toBe(12)
    await counts.find(large(0))
    expect(state.counts).toBe(13)
  })
})
