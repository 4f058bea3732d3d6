import type { ClientError } from '../client-error.ts'
import type { Clock } from '../platform.ts'
import type { Request } from '../request.ts'
import { createSseParser } from './sse-parser.ts'

/**
 * The silence after which a stream counts as lost: three keep-alives
 * (docs/reference/streaming.md#stream-contents). TCP may not notice it.
 */
export const SILENCE_MS = 45_000
const EVENT_STREAM = 'text/event-stream'

/**
 * Opens the stream and reads it until it ends.
 * @param onEvent Called for each event. When it throws, the event is malformed and the stream ends.
 * @param onEnd Called once when the stream failed, was rejected, ended or timed out, unless it was closed.
 * @returns A function that closes the stream. Nothing is called after that.
 */
export function openEventStream(
  request: Request,
  { setTimer }: Clock,
  onEvent: (name: string, text: string, id: string) => void,
  onEnd: (error: ClientError) => void,
  path = '/stream',
  headers?: Record<string, string>,
): () => void {
  const controller = new AbortController()
  const { signal } = controller
  let stopWatchdog: () => void

  function close(): void {
    stopWatchdog()
    controller.abort()
  }

  function end(error: ClientError): void {
    if (signal.aborted) return
    close()
    onEnd(error)
  }

  function watch(): void {
    stopWatchdog?.()
    stopWatchdog = setTimer(() => end(new Error('the stream is silent')), SILENCE_MS)
  }

  async function read(): Promise<never> {
    const response = await request(path, { signal }, { ...headers, Accept: EVENT_STREAM })
    const { body } = response
    if (!body || !response.headers.get('content-type')?.startsWith(EVENT_STREAM))
      throw new Error(`no ${EVENT_STREAM}`)
    const parse = createSseParser((name, text, id) => {
      if (!signal.aborted) onEvent(name, text, id)
    })
    const reader = body.getReader()
    // The decoder keeps the bytes of a character that is split between chunks, and removes the byte order
    // mark.
    const decoder = new TextDecoder()
    while (true) {
      const { done, value } = await reader.read()
      if (done) throw new Error('the stream ended')
      if (!signal.aborted) watch()
      parse(decoder.decode(value, { stream: true }))
    }
  }

  watch()
  read().catch(end)
  return close
}
