import { describe, expect, it } from 'vitest'
import { retryDelayMs } from '../../../../src/governance/scheduled-changes/retry-delay.ts'

describe('the delay of a scheduled change that failed', () => {
  it('the delay doubles with each failed attempt', () => {
    expect([1, 2, 3, 4].map(retryDelayMs)).toEqual([1000, 2000, 4000, 8000])
  })

  it('the delay is at most ten minutes, after any number of attempts', () => {
    for (const attempts of [11, 30, 1_000_000, Number.MAX_SAFE_INTEGER]) {
      expect(retryDelayMs(attempts)).toBe(600_000)
    }
  })

  it('the delay is never shorter than a second', () => {
    expect(retryDelayMs(0)).toBe(1000)
  })
})
