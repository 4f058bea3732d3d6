import { createFlagSet } from '@burgee/evaluation'
import { isRefusal } from '../client-error.ts'
import type { Connection, ConnectionNeeds } from './connection.ts'
import {
  type ConnectionEffect,
  type ConnectionEvent,
  type ConnectionEvents,
  INITIAL_CONTEXT,
  stepConnection,
} from './connection-machine.ts'
import { openEventStream } from './event-stream.ts'
import { createSnapshotPolling } from './poll-snapshots.ts'
import { readFrame } from './read-frame.ts'

const MAX_RECONNECT_FAILURES = 3

/** Runs the effects of the state machine: streams, timers and the store. The machine makes all decisions. */
export function createStreamConnection(needs: ConnectionNeeds): Connection {
  const { applied, platform, request, store, options, listener } = needs
  const { clock, random } = platform
  const { maxReconnectFailures: maxFailures = MAX_RECONNECT_FAILURES } = options
  let context = INITIAL_CONTEXT
  /** Closes the stream or cancels the wait. */
  let stop = () => {}
  const polling = createSnapshotPolling(platform, request, options.pollIntervalMs, false, {
    onSnapshot(flags, id) {
      store.environmentId = id ?? store.environmentId
      if (flags) listener.onReady(store.publish(flags), true)
      applied()
    },
    onError: listener.onError,
  })

  const perform: Readonly<Record<ConnectionEffect, (payload: never) => void>> = {
    open() {
      stop = openEventStream(
        request,
        clock,
        (name, text, id) => {
          readFrame(name, text, dispatch)
          if (context.state === 'live') applied(id)
        },
        (error) => dispatch(isRefusal(error) ? 'refused' : 'lost', error),
      )
    },
    drop() {
      stop()
      store.filling = null
    },
    wait() {
      stop = clock.setTimer(() => dispatch('retry', undefined), context.waitMs)
    },
    begin(id) {
      store.environmentId = id ?? store.environmentId
      store.filling = createFlagSet()
    },
    apply: (update) => listener.onUpdate(store.apply(update)),
    publish: () => listener.onReady(store.publish(store.filling), false),
    poll: polling.start,
    unpoll: polling.stop,
    error: listener.onError,
    stale: listener.onStale,
  }

  function dispatch<Event extends ConnectionEvent>(event: Event, received: ConnectionEvents[Event]): void {
    const stepInputs = { nowMs: clock.now(), random: random(), maxFailures }
    const step = stepConnection(context, event, received, stepInputs)
    context = step.context
    // Each effect gets the payload of its event, or the error that the machine found (see Step).
    for (const effect of step.effects) perform[effect](step.payload as never)
  }

  return {
    get state() {
      return context.state
    },
    isPolling: polling.isPolling,
    start: () => void dispatch('start', undefined),
    async refresh() {
      const isLive = () => context.state === 'live'
      // A snapshot of another instance may be older than the stream.
      if (isLive()) return
      try {
        await polling.refresh()
      } catch (error) {
        // The stream was quicker.
        if (!isLive()) throw error
      }
    },
    close: () => dispatch('close', undefined),
  }
}
