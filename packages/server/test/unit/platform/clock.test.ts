import { afterEach, expect, test, vi } from 'vitest'
import { createSteadyClock } from '../../../src/platform/clock.ts'

afterEach(() => vi.useRealTimers())

const HOUR_MS = 3_600_000

test('a steady clock starts with the time of the machine and does not follow its steps', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-01-05T10:00:00Z') })
  const clock = createSteadyClock()
  const start = clock.now().getTime()
  expect(Math.abs(start - Date.parse('2026-01-05T10:00:00Z'))).toBeLessThan(1_000)
  for (const step of [HOUR_MS, -HOUR_MS]) {
    vi.setSystemTime(start + step)
    expect(Math.abs(clock.now().getTime() - start)).toBeLessThan(HOUR_MS / 2)
  }
})

test('a steady clock that is set continues from there', () => {
  const clock = createSteadyClock()
  const monotonicBefore = clock.monotonicMs()
  clock.set(Date.parse('2030-01-01T00:00:00Z'))
  expect(clock.now().toISOString()).toMatch(/^2030-01-01T00:00/)
  expect(clock.monotonicMs() - monotonicBefore).toBeLessThan(HOUR_MS)
})
