import { describe, expect, it } from 'vitest'
import { createStaleReports, type StaleReport } from '../../../../src/insight/lifecycle/stale-reports.ts'
import { createManualClock } from '../../../harness/manual-clock.ts'

const HOUR_MS = 3_600_000
const WANTED = { project_id: 'p', days: 30, caller: 'ada', maxAgeMs: HOUR_MS }

/** Creates reports whose nth computation takes some time and has n flags. */
function open({ isWhole = true, tookMs = 10, weightMax = 1_000 } = {}) {
  const clock = createManualClock()
  const state = { fingerprint: 'one', computed: 0, tookMs, isWhole }
  const errors: unknown[] = []
  const reports = createStaleReports(
    {
      clock,
      fingerprint: async () => state.fingerprint,
      async compute(): Promise<StaleReport> {
        state.computed += 1
        const flags = Array.from({ length: state.computed }, (_, n) => ({
          ...{ flag_key: `flag-${n}`, verdict: 'keep' as const, evidence: [], dependants: [] },
        }))
        const computed_at = clock.now().toISOString()
        clock.advance(state.tookMs)
        if (state.tookMs < 0) throw new Error('not computed')
        return { computed_at, flags, isWhole: state.isWhole }
      },
      onError: (error) => errors.push(error),
    },
    { weightMax },
  )
  const read = async (more: object = {}) => (await reports.get({ ...WANTED, ...more })).flags.length
  return { clock, errors, read, state }
}

describe('the report of stale flags', () => {
  it('is kept for a hundred times what it took', async () => {
    const { clock, read } = open()
    expect(await read()).toBe(1)
    clock.advance(980)
    expect(await read()).toBe(1)
    clock.advance(20)
    expect(await read()).toBe(2)
  })

  it('is computed again at once when the flags have changed', async () => {
    const { read, state } = open()
    expect(await read()).toBe(1)
    state.fingerprint = 'two'
    expect(await read()).toBe(2)
    expect(await read()).toBe(2)
  })

  it('is returned while a long one is computed, and never when it is older than an hour', async () => {
    const { clock, read } = open({ tookMs: 1_000 })
    expect(await read()).toBe(1)
    clock.advance(100_000)
    expect(await read()).toBe(1)
    expect(await read()).toBe(2)
    clock.advance(HOUR_MS)
    expect(await read()).toBe(3)
  })

  it('is computed again for a caller who wants a younger one', async () => {
    const { clock, read } = open({ tookMs: 1_000 })
    expect(await read()).toBe(1)
    clock.advance(4_000)
    expect(await read({ maxAgeMs: 60_000 })).toBe(1)
    expect(await read({ maxAgeMs: 3_000 })).toBe(2)
    expect(await read({ maxAgeMs: 0 })).toBe(3)
  })

  it('goes on with the flags that were left', async () => {
    const { read, state } = open({ isWhole: false })
    expect(await read()).toBe(1)
    state.isWhole = true
    expect(await read()).toBe(2)
    expect(await read()).toBe(2)
  })

  it('is computed once for all callers who wait, and for each number of days', async () => {
    const { read, state } = open()
    expect(await Promise.all([read(), read({ caller: 'bob' }), read()])).toEqual([1, 1, 1])
    expect(await read({ days: 7 })).toBe(2)
    expect(state.computed).toBe(2)
  })

  it('is dropped where others that were used later fill the memory', async () => {
    const { read, state } = open({ weightMax: 3 })
    expect(await read({ project_id: 'a' })).toBe(1)
    expect(await read({ project_id: 'b' })).toBe(2)
    expect(await read({ project_id: 'a' })).toBe(1)
    expect(await read({ project_id: 'c' })).toBe(3)
    expect(state.computed).toBe(3)
    // Alone larger than the memory: computed for each request.
    expect(await read({ project_id: 'a' })).toBe(4)
    expect(await read({ project_id: 'a' })).toBe(5)
  })

  it('stays when the next one fails, which is reported', async () => {
    const { clock, errors, read, state } = open({ tookMs: 1_000 })
    expect(await read()).toBe(1)
    clock.advance(100_000)
    state.tookMs = -1
    expect(await read()).toBe(1)
    await Promise.resolve()
    expect(await read()).toBe(1)
    expect(errors.length).toBeGreaterThan(0)
    await expect(read({ maxAgeMs: 0 })).rejects.toThrow('not computed')
  })
})
