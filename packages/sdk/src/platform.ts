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
export function hostPlatform(): Platform {
  return {
    fetch: (...request) => globalThis.fetch(...request),
    clock: { now: Date.now, setTimer },
    random: Math.random,
    onLeave,
  }
}

function setTimer(callback: () => void, ms: number, holdsProcess = false): () => void {
  const timer: unknown = setTimeout(callback, ms)
  // Browsers number their timers.
  if (!holdsProcess && typeof timer === 'object') (timer as { unref?(): void }).unref?.()
  return () => clearTimeout(timer as number)
}

/** Hidden is the last state that a page on a phone can rely on to be told of. */
function onLeave(callback: () => void): () => void {
  const page = globalThis.document
  if (!page?.addEventListener) return () => {}
  const subscription = new AbortController()
  page.addEventListener(
    'visibilitychange',
    () => page.visibilityState === 'hidden' && callback(),
    subscription,
  )
  globalThis.addEventListener('pagehide', callback, subscription)
  return () => subscription.abort()
}
