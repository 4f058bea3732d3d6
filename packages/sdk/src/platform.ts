/** What the client takes from its surroundings; tests bring their own. */
export interface Platform {
  readonly fetch: typeof fetch
  readonly clock: Clock
  /** In [0, 1). */
  readonly random: () => number
  /** Calls back when the page is about to be hidden or left. Returns how to stop. */
  readonly onLeave: (callback: () => void) => () => void
}

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /**
   * Calls back once, after `ms` milliseconds. Returns how to cancel.
   *
   * @param holdsProcess Whether Node must not exit before. Without, a timer never keeps a program running.
   */
  setTimer(callback: () => void, ms: number, holdsProcess?: boolean): () => void
}

/** Node and browsers. Nothing of Node is imported: the same code is bundled for both. */
export const hostPlatform = (): Platform => ({
  fetch: (...request) => fetch(...request),
  clock: { now: Date.now, setTimer },
  random: Math.random,
  onLeave,
})

function setTimer(callback: () => void, ms: number, holdsProcess?: boolean): () => void {
  // Browsers number their timers, and numbers have no `unref`.
  const timer: unknown = setTimeout(callback, ms)
  if (!holdsProcess) (timer as { unref?(): void }).unref?.()
  return () => clearTimeout(timer as number)
}

/** Hidden is the last state that a page on a phone can rely on to be told of. */
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
