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
  onEnvironment(environmentId: string | null): void
  /** A bootstrap is complete and its flags are in the store; those with these keys differ from before. */
  onReady(flagKeys: string[]): void
  /** The same, of a snapshot. */
  onSnapshot(flagKeys: string[]): void
  /** A live update of these flags; none while a bootstrap is on its way. */
  onUpdate(flagKeys: string[]): void
  onStale(): void
  onError(error: ClientError): void
}

export interface Connection {
  readonly context: ConnectionContext
  dispatch<Event extends ConnectionEvent>(event: Event, payload: ConnectionEvents[Event]): void
}

/** The machine's hands: streams, timers and the store. All decisions are the machine's. */
export function createConnection(
  { clock, random }: Platform,
  request: Request,
  store: FlagStore,
  maxFailures: number,
  listener: ConnectionListener,
): Connection {
  /** Ends the stream or the wait, whichever there is. */
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
      listener.onEnvironment(environmentId)
      store.filling = createFlagSet()
    },
    apply: (update) => listener.onUpdate(store.apply(update)),
    publish: () => listener.onReady(store.publish(store.filling)),
    error: listener.onError,
    stale: listener.onStale,
  }

  function dispatch<Event extends ConnectionEvent>(event: Event, received: ConnectionEvents[Event]): void {
    const surroundings = { nowMs: clock.now(), random: random(), maxFailures }
    const { context, effects, payload } = stepConnection(connection.context, event, received, surroundings)
    connection.context = context
    turnPolling(context.isPolling)
    for (const effect of effects) perform[effect](payload as never)
  }

  function turnPolling(isPolling: boolean): void {
    if (!isPolling) {
      stopPolling?.()
      stopPolling = null
    } else
      stopPolling ??= pollSnapshots(
        request,
        clock,
        (flags, environmentId) => {
          listener.onEnvironment(environmentId)
          listener.onSnapshot(store.publish(flags))
        },
        listener.onError,
      )
  }

  const connection = { context: INITIAL_CONTEXT, dispatch }
  return connection
}
