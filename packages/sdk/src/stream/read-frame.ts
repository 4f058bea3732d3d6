import type { ConnectionEvent, ConnectionEvents } from './connection-machine.ts'
import type { FlagUpdate } from './flag-update.ts'

export type Dispatch = <Event extends ConnectionEvent>(event: Event, payload: ConnectionEvents[Event]) => void

/**
 * Parses one event of the stream (docs/reference/streaming.md#stream-contents). Events and update types of
 * later servers are ignored.
 * @throws SyntaxError or TypeError when a known event is malformed.
 */
export function readFrame(name: string, text: string, dispatch: Dispatch): void {
  if (name === 'connected') dispatch(name, JSON.parse(text)?.environment_id ?? null)
  if (name === 'ready') dispatch(name, Number.parseInt(text, 10))
  if (name === 'update') {
    const update: FlagUpdate & { readonly flag: { readonly key: string } } = JSON.parse(text)
    const { type, flag } = update
    const key = type === 'UPSERT' ? flag.key : update.key
    if (type !== 'UPSERT' && type !== 'DELETE') return
    if (typeof key !== 'string') throw new TypeError('an update without a flag key')
    dispatch(name, { type, key, flag })
  }
}
