import { type ClientError, isRefusal, toError } from '../client-error.ts'
import type { FlagStore } from '../flag-store.ts'
import type { Platform } from '../platform.ts'
import type { Request } from '../request.ts'
import {
  type ConnectionEffect,
  type ConnectionEffects,
  type ConnectionEvent,
  type ConnectionEvents,
  type ConnectionState,
  INITIAL_CONTEXT,
  stepConnection,
} from './connection-machine.ts'
import { openEventStream } from './event-stream.ts'
import { readFrame } from './read-frame.ts'
import { createSnapshotPolling } from './snapshot-polling.ts'

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
  readonly state: ConnectionState
  readonly isPolling: boolean
  start(): void
  close(): void
}

/** The machine's hands: streams, timers and the store. All decisions are the machine's. */
export function createConnection(
  { clock, random }: Platform,
  request: Request,
  store: FlagStore,
  maxFailures: number,
  listener: ConnectionListener,
): Connection {
  let context = INITIAL_CONTEXT
  let closeStream = () => {}
  let cancelWait = () => {}

  const onError = (thrown: unknown) => listener.onError(toError(thrown))
  const polling = createSnapshotPolling(request, clock, {
    onSnapshot(flags, environmentId) {
      listener.onEnvironment(environmentId)
      listener.onSnapshot(store.publish(flags))
    },
    onError,
  })

  function onEnd(thrown: unknown): void {
    const error = toError(thrown)
    dispatch(isRefusal(error.status) ? 'refused' : 'lost', error)
  }

  const perform: { readonly [Name in keyof ConnectionEffects]: (detail: ConnectionEffects[Name]) => void } = {
    open() {
      closeStream = openEventStream(request, clock, (name, text) => readFrame(name, text, dispatch), onEnd)
    },
    drop() {
      cancelWait()
      closeStream()
      store.discard()
    },
    wait(ms) {
      cancelWait = clock.setTimer(() => dispatch('retry', undefined), ms)
    },
    begin(environmentId) {
      listener.onEnvironment(environmentId)
      store.begin()
    },
    apply: (update) => listener.onUpdate(store.apply(update)),
    publish: () => listener.onReady(store.publish()),
    poll: polling.turn,
    error: onError,
    stale: listener.onStale,
  }

  function run<Name extends keyof ConnectionEffects>([name, detail]: ConnectionEffect<Name>): void {
    perform[name](detail)
  }

  function dispatch<Event extends ConnectionEvent>(event: Event, payload: ConnectionEvents[Event]): void {
    const surroundings = { nowMs: clock.now(), random: random(), maxFailures }
    const [next, effects] = stepConnection(context, event, payload, surroundings)
    context = next
    effects.forEach(run)
  }

  return {
    get state() {
      return context.state
    },
    get isPolling() {
      return polling.isOn
    },
    start: () => dispatch('start', undefined),
    close: () => dispatch('close', undefined),
  }
}
