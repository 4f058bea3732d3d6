import { performance } from 'node:perf_hooks'

/**
 * Returns a function with the share of time, from 0 to 1, in which the event loop was busy since its last
 * call.
 */
export function createLoopUtilization(): () => number {
  let last = performance.eventLoopUtilization()
  return () => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, last)
    last = now
    return utilization
  }
}
