import { describe, expect, test } from 'vitest'
import { createOffsetEstimate } from '../../../src/platform/db/offset-estimate.ts'

/** Two clocks with a constant offset; the other one is read after a share of the round trip. */
const OFFSET_MS = 1_700_000_000_000
const reading = (sentMs: number, roundTripMs: number, share: number, offsetMs = OFFSET_MS) => ({
  sentMs,
  receivedMs: sentMs + roundTripMs,
  epochMs: sentMs + roundTripMs * share + offsetMs,
})

describe('the offset of the database clock', () => {
  test('one reading: the middle of the round trip', () => {
    expect(createOffsetEstimate()(reading(1_000, 10, 0.5))).toBe(OFFSET_MS)
  })

  test('a slow reading does not change what a fast one has shown', () => {
    const offsetAfter = createOffsetEstimate()
    offsetAfter(reading(0, 1, 0.5))
    for (const share of [0, 1]) {
      const error = offsetAfter(reading(1_000, 400, share)) - OFFSET_MS
      // Half of the fast round trip, and the drift of a second.
      expect(Math.abs(error)).toBeLessThan(0.5 + 1)
    }
  })

  test('one-sided readings narrow the bounds from both sides', () => {
    const offsetAfter = createOffsetEstimate()
    offsetAfter(reading(0, 100, 0.01))
    expect(Math.abs(offsetAfter(reading(1_000, 100, 0.99)) - OFFSET_MS)).toBeLessThan(2)
  })

  test('a clock that was set is followed at once', () => {
    const offsetAfter = createOffsetEstimate()
    offsetAfter(reading(0, 1, 0.5))
    expect(offsetAfter(reading(1_000, 1, 0.5, OFFSET_MS - 60_000))).toBe(OFFSET_MS - 60_000)
  })

  test('a clock that drifts is followed: 100 ppm for a day', () => {
    const offsetAfter = createOffsetEstimate()
    let error = 0
    for (let second = 0; second < 86_400; second++) {
      const offsetMs = OFFSET_MS + second * 0.1
      error = offsetAfter(reading(second * 1_000, 1 + (second % 50), 0.5, offsetMs)) - offsetMs
    }
    expect(Math.abs(error)).toBeLessThan(15)
  })
})
