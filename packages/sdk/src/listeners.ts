/** Subscriptions to events, by name. */
export interface Listeners<Events> {
  /** @returns Ends the subscription. */
  on<Event extends keyof Events>(event: Event, listener: (payload: Events[Event]) => void): () => void
  /** Calls all listeners. What they throw is theirs and goes nowhere. */
  emit<Event extends keyof Events>(event: Event, payload: Events[Event]): void
}

export function createListeners<Events>(): Listeners<Events> {
  // A key of its own for each, so that one listener may subscribe twice and leave once.
  const listeners = new Map<object, [event: keyof Events, listener: (payload: never) => void]>()
  return {
    on(event, listener) {
      const subscription = {}
      listeners.set(subscription, [event, listener])
      return () => void listeners.delete(subscription)
    },
    emit(event, payload) {
      for (const [subscribed, listener] of [...listeners.values()]) {
        try {
          // The payload is of the event's type: both signatures demand it.
          if (subscribed === event) listener(payload as never)
        } catch {}
      }
    },
  }
}
