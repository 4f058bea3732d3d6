type Listener = () => void

const listeners = new Set<Listener>()

/** Some call was answered 401: whoever asked to know is told. */
export function announceExpiry(): void {
  for (const listener of listeners) listener()
}

/** Gives the way to stop listening. */
export function onSessionExpiry(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
