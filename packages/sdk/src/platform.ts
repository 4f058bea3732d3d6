import { warn } from './goal-warning.ts'

/** The environment of the client: clock, timers, randomness and network. Tests pass their own. */
export interface Platform {
  readonly fetch: typeof fetch
  readonly clock: Clock
  /** In [0, 1). */
  readonly random: () => number
  /** Calls back when the page is about to be hidden or left. Returns a function that unsubscribes. */
  readonly onLeave: (callback: () => void) => () => void
  /** Warns the developer of a mistake. Does nothing in production. */
  readonly warn: (message: string) => void
}

/** The longest time of a timer: 24 days. */
export const LONGEST_TIMEOUT_MS = 2 ** 31 - 1

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /**
   * Calls back once, after `ms` milliseconds. Returns a function that cancels the timer.
   * @param holdsProcess True when Node must not exit before. Otherwise a timer never keeps a program running.
   */
  setTimer(callback: () => void, ms: number, holdsProcess?: boolean): () => void
}

/** The platform of Node and browsers. It imports nothing of Node, so the same code is bundled for both. */
export const hostPlatform = (): Platform => ({
  fetch: (...request) => fetch(...request),
  clock: { now: Date.now, setTimer },
  random: Math.random,
  onLeave,
  warn,
})

function setTimer(callback: () => void, ms: number, holdsProcess?: boolean): () => void {
  // Timers in browsers are numbers, which have no `unref`.
  const timer: unknown = setTimeout(callback, ms)
  if (!holdsProcess) (timer as { unref?(): void }).unref?.()
  return () => clearTimeout(timer as number)
}

/** Subscribes to the page being hidden, which is the last event that is reliable on phones. */
function onLeave(callback: () => void): () => void {
  const subscription = new AbortController()
  const { document, addEventListener } = globalThis
  document?.addEventListener(
    'visibilitychange',
    () => document.visibilityState === 'hidden' && callback(),
    subscription,
  )
  if (document) addEventListener('pagehide', callback, subscription)
  return () => subscription.abort()
}
