import { answerError } from '../client-error.ts'
import type { Clock } from '../platform.ts'
import type { Request } from '../request.ts'
import { createSseParser } from './sse-parser.ts'

/** Three keep-alives (specification, "Stream events") and nothing came: whatever TCP may think, nobody is there. */
export const SILENCE_MS = 45_000
const PATH = '/stream'
const EVENT_STREAM = 'text/event-stream'

/**
 * Opens the stream and reads it until it ends.
 *
 * @param onEvent When it throws, the event made no sense and the stream is over.
 * @param onEnd Called once, unless the stream was closed: it failed, was refused, ended, or fell silent.
 * @returns How to close the stream. Nothing is called after that.
 */
export function openEventStream(
  request: Request,
  clock: Clock,
  onEvent: (name: string, text: string) => void,
  onEnd: (error: unknown) => void,
): () => void {
  const controller = new AbortController()
  const { signal } = controller
  let stopWatchdog = () => {}

  function close(): void {
    stopWatchdog()
    controller.abort()
  }

  function end(error: unknown): void {
    if (signal.aborted) return
    close()
    onEnd(error)
  }

  function listenOn(): void {
    stopWatchdog()
    stopWatchdog = clock.setTimer(() => end(new Error(`${PATH}: silent`)), SILENCE_MS)
  }

  async function read(): Promise<void> {
    const response = await request(PATH, { headers: { Accept: EVENT_STREAM }, signal })
    const { body, headers, status } = response
    if (status !== 200) throw answerError(PATH, response)
    if (!body || !headers.get('content-type')?.startsWith(EVENT_STREAM))
      throw new Error(`${PATH}: no event stream`)
    const parse = createSseParser((name, text) => {
      if (!signal.aborted) onEvent(name, text)
    })
    const reader = body.getReader()
    // The decoder keeps the bytes of a character that a chunk cut in two, and takes the byte order mark away.
    const decoder = new TextDecoder()
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      if (signal.aborted) return
      listenOn()
      parse(decoder.decode(chunk.value, { stream: true }))
    }
    throw new Error(`${PATH}: ended`)
  }

  listenOn()
  read().catch(end)
  return close
}
