import type { Clock } from '../../../src/platform.ts'

export interface ManualClock extends Clock {
  /** Advances the time, and calls the timers that are due. */
  advance(ms: number): void
  /** The times at which timers are due, in milliseconds from now. */
  due(): number[]
}

interface Timer {
  readonly at: number
  readonly callback: () => void
}

export function manualClock(startMs = Date.parse('2026-01-02T03:04:05.000Z')): ManualClock {
  let now = startMs
  const timers = new Set<Timer>()

  function nextBefore(end: number): Timer | undefined {
    return [...timers].filter(({ at }) => at <= end).sort((one, other) => one.at - other.at)[0]
  }

  return {
    now: () => now,
    setTimer(callback, ms) {
      const timer = { at: now + ms, callback }
      timers.add(timer)
      return () => void timers.delete(timer)
    },
    advance(ms) {
      const end = now + ms
      for (let timer = nextBefore(end); timer; timer = nextBefore(end)) {
        timers.delete(timer)
        now = timer.at
        timer.callback()
      }
      now = end
    },
    due: () => [...timers].map(({ at }) => at - now).sort((one, other) => one - other),
  }
}
