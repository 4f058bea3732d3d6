type Listener = () => void

interface Signal {
  announce(): void
  /** Returns the function that stops listening. */
  listen(listener: Listener): () => void
}

/** A response had the status 401: the session has ended. */
export const sessionExpiry = createSignal()

/** The user has signed out. */
export const logOut = createSignal()

function createSignal(): Signal {
  const listeners = new Set<Listener>()
  return {
    announce() {
      for (const listener of listeners) listener()
    },
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
