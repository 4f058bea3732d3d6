import type { ConnectionEvent, ConnectionEvents } from './connection-machine.ts'

export type Dispatch = <Event extends ConnectionEvent>(event: Event, payload: ConnectionEvents[Event]) => void

/**
 * Tells what one event of the stream means (specification, "Stream events"). Events and update types that a later
 * server may add mean nothing yet.
 *
 * @throws SyntaxError or TypeError when a known event makes no sense: something on the way garbled it.
 */
export function readFrame(name: string, text: string, dispatch: Dispatch): void {
  if (name === 'connected') {
    const connected: { environment_id?: unknown } | null = JSON.parse(text)
    const id = connected?.environment_id
    dispatch(name, typeof id === 'string' ? id : null)
  }
  if (name === 'update') readUpdate(JSON.parse(text), dispatch)
  if (name === 'ready') dispatch(name, Number.parseInt(text, 10))
}

interface WireUpdate {
  readonly type?: unknown
  readonly flag?: { readonly key?: unknown } | null
  readonly key?: unknown
}

function readUpdate({ type, flag, key }: WireUpdate, dispatch: Dispatch): void {
  if (type === 'UPSERT') dispatch('update', { type, key: readKey(flag?.key), flag })
  if (type === 'DELETE') dispatch('update', { type, key: readKey(key) })
}

function readKey(key: unknown): string {
  if (typeof key !== 'string') throw new TypeError('an update without a flag key')
  return key
}
