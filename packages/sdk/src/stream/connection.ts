import { createFlagSet } from '@burgee/evaluation'
import type { ClientError } from '../client-error.ts'
import { isRefusal } from '../client-error.ts'
import type { FlagStore } from '../flag-store.ts'
import type { Platform } from '../platform.ts'
import type { Request } from '../request.ts'
import {
  type ConnectionContext,
  type ConnectionEffect,
  type ConnectionEvent,
  type ConnectionEvents,
  INITIAL_CONTEXT,
  stepConnection,
} from './connection-machine.ts'
import { openEventStream } from './event-stream.ts'
import { pollSnapshots } from './poll-snapshots.ts'
import { readFrame } from './read-frame.ts'

export interface ConnectionListener {
  /**
   * A bootstrap or snapshot is complete and its flags are in the store. `flagKeys` are the flags that differ.
   */
  onReady(flagKeys: string[], isSnapshot: boolean): void
  /** A live update has changed these flags; none during a bootstrap. */
  onUpdate(flagKeys: string[]): void
  onStale(): void
  onError(error: ClientError): void
}

export interface Connection {
  readonly context: ConnectionContext
  readonly environmentId: string | null
  isPolling(): boolean
  dispatch<Event extends ConnectionEvent>(event: Event, payload: ConnectionEvents[Event]): void
}

/** Runs the effects of the state machine: streams, timers and the store. The machine makes all decisions. */
export function createConnection(
  { clock, random }: Platform,
  request: Request,
  store: FlagStore,
  maxFailures: number,
  listener: ConnectionListener,
): Connection {
  /** Closes the stream or cancels the wait. */
  let stop = () => {}
  let stopPolling: (() => void) | null = null

  const perform: Readonly<Record<ConnectionEffect, (payload: never) => void>> = {
    open() {
      stop = openEventStream(
        request,
        clock,
        (name, text) => readFrame(name, text, dispatch),
        (error) => dispatch(isRefusal(error) ? 'refused' : 'lost', error),
      )
    },
    drop() {
      stop()
      store.filling = null
    },
    wait() {
      stop = clock.setTimer(() => dispatch('retry', undefined), connection.context.waitMs)
    },
    begin(environmentId) {
      connection.environmentId = environmentId ?? connection.environmentId
      store.filling = createFlagSet()
    },
    apply: (update) => listener.onUpdate(store.apply(update)),
    publish: () => listener.onReady(store.publish(store.filling), false),
    poll() {
      stopPolling ??= pollSnapshots(
        request,
        clock,
        (flags, environmentId) => {
          connection.environmentId = environmentId ?? connection.environmentId
          listener.onReady(store.publish(flags), true)
        },
        listener.onError,
      )
    },
    unpoll() {
      stopPolling?.()
      stopPolling = null
    },
    error: listener.onError,
    stale: listener.onStale,
  }

  function dispatch<Event extends ConnectionEvent>(event: Event, received: ConnectionEvents[Event]): void {
    const stepInputs = { nowMs: clock.now(), random: random(), maxFailures }
    const { context, effects, payload } = stepConnection(connection.context, event, received, stepInputs)
    connection.context = context
    // Each effect gets the payload of its event, or the error that the machine found (see Step).
    for (const effect of effects) perform[effect](payload as never)
  }

  const connection = {
    context: INITIAL_CONTEXT,
    // Widened to the type of the field: null at the start.
    environmentId: null as string | null,
    isPolling: () => stopPolling !== null,
    dispatch,
  }
  return connection
}
