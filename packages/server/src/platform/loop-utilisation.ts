import { performance } from 'node:perf_hooks'

/** Gives, each time it is asked, which part of the time since it was last asked this process's loop was at work: 0 to 1. */
export function createLoopUtilisation(): () => number {
  let last = performance.eventLoopUtilization()
  return () => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, last)
    last = now
    return utilization
  }
}
