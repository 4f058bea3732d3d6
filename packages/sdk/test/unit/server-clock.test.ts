import { describe, expect, it } from 'vitest'
import { createServerClock } from '../../src/server-clock.ts'

const SERVER_MS = Date.parse('2026-05-01T12:00:00Z')
const dateAt = (ms: number) => new Date(ms).toUTCString()

/** A clock, after responses that arrived when it was ahead by so much; each took `wayMs`. */
function clockAfter(...observed: readonly { aheadMs: number; wayMs?: number }[]) {
  let nowMs = SERVER_MS
  const clock = createServerClock(() => nowMs)
  for (const { aheadMs, wayMs = 0 } of observed) {
    nowMs = SERVER_MS + aheadMs + wayMs
    clock.observe(dateAt(SERVER_MS))
  }
  return clock
}

describe('times are corrected by the Date of the server', () => {
  it.each([
    ['an hour ahead', [{ aheadMs: 3_600_000 }], -3_600_000],
    ['right', [{ aheadMs: 0 }], 0],
    ['behind: nothing is lost then', [{ aheadMs: -3_600_000 }], 0],
    ['a second ahead, which is as exact as Date is', [{ aheadMs: 1_000 }], 0],
    ['right, after a slow response', [{ aheadMs: 0 }, { aheadMs: 0, wayMs: 9_000 }], 0],
    [
      'ahead, and the first response was slow',
      [{ aheadMs: 60_000, wayMs: 5_000 }, { aheadMs: 60_000 }],
      -60_000,
    ],
    ['set back to the right time', [{ aheadMs: 3_600_000 }, { aheadMs: 0 }], 0],
    ['set to an hour ahead', [{ aheadMs: 0 }, { aheadMs: 3_600_000 }], -3_600_000],
  ])('where the clock is %s', (_title, observed, corrected) => {
    expect(clockAfter(...observed).correct(SERVER_MS)).toBe(SERVER_MS + corrected)
  })

  it.each([null, '', 'yesterday', 'NaN'])('but not by %j, which is no date', (date) => {
    const clock = createServerClock(() => SERVER_MS)
    clock.observe(date)
    expect(clock.correct(SERVER_MS)).toBe(SERVER_MS)
  })
})
