/** Subscriptions to events, by name. */
export interface Listeners<Events> {
  /** @returns Ends the subscription. */
  on<Event extends keyof Events>(event: Event, listener: (payload: Events[Event]) => void): () => void
  /** Calls all listeners. What they throw is theirs and goes nowhere. */
  emit<Event extends keyof Events>(event: Event, payload: Events[Event]): void
}

export function createListeners<Events>(): Listeners<Events> {
  const subscriptions = new Set<(emitted: keyof Events, payload: unknown) => void>()
  return {
    on(event, listener) {
      // A function of its own, so that one listener may subscribe twice and leave once.
      const subscription = (emitted: keyof Events, payload: unknown) => {
        // The payload is of the event's type: `emit` demands it.
        if (emitted === event) listener(payload as Events[typeof event])
      }
      subscriptions.add(subscription)
      return () => void subscriptions.delete(subscription)
    },
    emit(event, payload) {
      for (const subscription of [...subscriptions]) {
        try {
          subscription(event, payload)
        } catch {}
      }
    },
  }
}
