/** Subscriptions to events by name. */
export interface Listeners<Events> {
  /** @returns A function that ends the subscription. */
  on<Event extends keyof Events>(event: Event, listener: (payload: Events[Event]) => void): () => void
  /** Calls all listeners. Errors that they throw are ignored. */
  emit<Event extends keyof Events>(event: Event, payload: Events[Event]): void
}

export function createListeners<Events>(): Listeners<Events> {
  // Each subscription has a key of its own, so a listener that subscribed twice can unsubscribe once.
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
          // The payload has the type of the event: both signatures require it.
          if (subscribed === event) listener(payload as never)
        } catch {}
      }
    },
  }
}
