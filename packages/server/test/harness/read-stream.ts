import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { eventually } from './eventually.ts'

export interface StreamEvent {
  readonly event: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into events freely
  readonly data: any
  readonly id: string | undefined
}

export interface TestStream {
  readonly status: number
  readonly headers: Headers
  readonly events: readonly StreamEvent[]
  readonly comments: readonly string[]
  /** Returns the bytes so far. */
  readonly text: () => string
  readonly ended: () => boolean
  /** Waits for an event that matches, from the first one on. */
  until(fits: (event: StreamEvent) => boolean): Promise<StreamEvent>
  close(): void
}

/** Opens a stream and reads it in the background. */
export async function readStream(url: string, headers: Record<string, string> = {}): Promise<TestStream> {
  const stop = new AbortController()
  const response = await fetch(url, { headers, signal: stop.signal })
  const events: StreamEvent[] = []
  const comments: string[] = []
  let text = ''
  let ended = false
  const parser = createParser({
    onEvent: ({ data, event, id }: EventSourceMessage) =>
      events.push({ event: event ?? 'message', data: event === 'ready' ? data : JSON.parse(data), id }),
    onComment: (comment) => comments.push(comment),
  })
  const read = async () => {
    const decoder = new TextDecoder()
    for await (const bytes of response.body ?? []) {
      const piece = decoder.decode(bytes, { stream: true })
      text += piece
      parser.feed(piece)
    }
  }
  const reading = read()
    .catch(() => undefined)
    .finally(() => {
      ended = true
    })
  return {
    status: response.status,
    headers: response.headers,
    events,
    comments,
    text: () => text,
    ended: () => ended,
    until: (fits) => eventually(() => events.find(fits)),
    close() {
      stop.abort()
      void reading
    },
  }
}
