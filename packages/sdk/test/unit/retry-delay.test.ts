import { describe, expect, it } from 'vitest'
import { RETRY_BASE_MS, RETRY_CAP_MS, retryDelayMs } from '../../src/stream/retry-delay.ts'

/** A fixed sequence that is spread evenly over [0, 1). */
const spread = (index: number): number => (index * 0.618_033_988_749_895) % 1

describe('retryDelayMs', () => {
  it.each([0, 1, 2, 3, 4, 5, 10, 2_000])(
    'retryDelayMs is spread evenly from 0 to the bound after %i waits',
    (waits) => {
      const bound = Math.min(RETRY_CAP_MS, RETRY_BASE_MS * 2 ** waits)
      const delays = Array.from({ length: 1_000 }, (_, index) => retryDelayMs(waits, spread(index)))

      expect(Math.min(...delays)).toBeGreaterThanOrEqual(0)
      expect(Math.max(...delays)).toBeLessThan(bound)
      for (const quarter of [0, 1, 2, 3]) {
        const inQuarter = delays.filter((delay) => Math.floor((delay / bound) * 4) === quarter)
        expect(Math.abs(inQuarter.length - 250)).toBeLessThan(10)
      }
    },
  )
})
