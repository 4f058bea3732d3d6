import { type ClientRequest, get } from 'node:http'
import { createParser } from 'eventsource-parser'

/** An SDK's copy of an environment: flags by key, from the bootstrap on. */
export interface EnvironmentWatch {
  readonly flags: ReadonlyMap<string, unknown>
  /** Returns how often the stream was lost and opened again. */
  readonly reconnects: () => number
  close(): void
}

const RECONNECT_MS = 100

/** Follows the stream of an SDK key during the run like an SDK: a new bootstrap starts from nothing. */
export function watchEnvironment(url: string, sdk_key: string): EnvironmentWatch {
  const flags = new Map<string, unknown>()
  let reconnects = -1
  let isClosed = false
  let timer: NodeJS.Timeout | undefined
  let request: ClientRequest | undefined

  const apply = (event: string | undefined, data: string) => {
    if (event === 'connected') flags.clear()
    if (event !== 'update') return
    const update = JSON.parse(data)
    if (update.type === 'DELETE') flags.delete(update.key)
    else flags.set(update.flag.key, update.flag)
  }
  const connect = () => {
    reconnects += 1
    const parser = createParser({ onEvent: ({ data, event }) => apply(event, data) })
    const decoder = new TextDecoder()
    request = get(
      `${url}/stream`,
      { agent: false, headers: { authorization: `Bearer ${sdk_key}` } },
      (response) => {
        response.on('data', (bytes: Buffer) => parser.feed(decoder.decode(bytes, { stream: true })))
        response.on('error', () => undefined)
      },
    )
    request.on('error', () => undefined)
    request.on('close', () => {
      if (!isClosed) timer = setTimeout(connect, RECONNECT_MS)
    })
  }
  connect()
  return {
    flags,
    reconnects: () => reconnects,
    close() {
      isClosed = true
      clearTimeout(timer)
      request?.destroy()
    },
  }
}
