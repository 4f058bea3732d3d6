import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Metrics } from './metrics.ts'

/** The interval at which the event loop is sampled. A late sample shows its delay. */
const LOOK_EVERY_MS = 20
const NS_PER_MS = 1e6
const NS_PER_SECOND = 1e9
const US_PER_SECOND = 1e6
const MS_PER_SECOND = 1000

/** Measures memory, processor time and the delay of the event loop. */
export function measureProcess(metrics: Metrics): { close(): void } {
  const one = (name: string, help: string, read: () => number, type: 'gauge' | 'counter' = 'gauge') =>
    metrics.collected({ name, help, type, labels: [] }, () => [{ labels: {}, value: read() }])
  const startedAtS = Date.now() / MS_PER_SECOND - process.uptime()
  one('process_resident_memory_bytes', 'Memory that the process holds.', () => process.memoryUsage.rss())
  one('process_heap_used_bytes', 'JavaScript heap in use.', () => process.memoryUsage().heapUsed)
  one('process_start_time_seconds', 'Start of the process, in Unix time.', () => startedAtS)
  one('process_cpu_seconds_total', 'Processor time used, user and system.', cpuSeconds, 'counter')
  return measureEventLoop(metrics)
}

function cpuSeconds(): number {
  const { system, user } = process.cpuUsage()
  return (system + user) / US_PER_SECOND
}

function measureEventLoop(metrics: Metrics): { close(): void } {
  const delays = monitorEventLoopDelay({ resolution: LOOK_EVERY_MS })
  delays.enable()
  metrics.collected(
    {
      name: 'event_loop_delay_seconds',
      help: 'Delay of the event loop since the last scrape.',
      type: 'gauge',
      labels: ['quantile'],
    },
    () => {
      // Records the time between two samples, including the usual wait.
      const late = (ns: number) => Math.max(0, ns - LOOK_EVERY_MS * NS_PER_MS) / NS_PER_SECOND
      const readings = [
        { labels: { quantile: '0.5' }, value: late(delays.percentile(50)) },
        { labels: { quantile: '0.99' }, value: late(delays.percentile(99)) },
        { labels: { quantile: '1' }, value: late(delays.max) },
      ]
      delays.reset()
      return readings
    },
  )
  return { close: () => void delays.disable() }
}
