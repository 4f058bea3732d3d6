import type { Platform } from '../../../src/platform.ts'
import { type ManualClock, manualClock } from './manual-clock.ts'

export interface TestPlatform extends Platform {
  readonly clock: ManualClock
  /** The warnings that the developer received. */
  readonly warnings: string[]
  /** Simulates that the page is hidden or left. */
  leave(): void
}

/**
 * A platform with real requests and manual time and randomness. With randomness of 0.5 the first wait is 500
 * ms.
 */
export function testPlatform({
  random = 0.5,
  fetch = globalThis.fetch,
}: {
  random?: number
  fetch?: typeof globalThis.fetch
} = {}): TestPlatform {
  const callbacks = new Set<() => void>()
  const warnings: string[] = []
  return {
    fetch,
    clock: manualClock(),
    random: () => random,
    warn: (message) => void warnings.push(message),
    warnings,
    onLeave(callback) {
      callbacks.add(callback)
      return () => void callbacks.delete(callback)
    },
    leave() {
      for (const callback of callbacks) callback()
    },
  }
}
