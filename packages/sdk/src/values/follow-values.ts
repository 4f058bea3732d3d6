import { type ClientError, isRefusal } from '../client-error.ts'
import type { Platform } from '../platform.ts'
import { type Request, retryAfterMs, timed } from '../request.ts'
import { HEALTHY_AFTER_MS, UNAUTHORIZED_RETRY_MS } from '../stream/connection-machine.ts'
import { openEventStream } from '../stream/event-stream.ts'
import { retryDelayMs } from '../stream/retry-delay.ts'
import { oneAtATime } from './one-at-a-time.ts'
import type { ValueResult } from './values-store.ts'

/** The needs of values: the platform, and the requests of a key. */
export interface ValuesNeeds extends Pick<Platform, 'clock' | 'random'> {
  readonly request: Request
}

interface ValuesListener {
  /** Receives all results when they differ from the last ones, or may. */
  onResults(results: readonly ValueResult[]): void
  /** Called after each request or stream that failed. Another attempt follows. */
  onError(error: ClientError): void
}

/**
 * Requests the values for a context (docs/ofrep.md), and again after each change that the server announces.
 * @param body The body of the request.
 * @returns A function that stops it. Nothing is called after that.
 */
export function followValues(
  { clock, random, request }: ValuesNeeds,
  body: string,
  { onResults, onError }: ValuesListener,
): () => void {
  let isStopped = false
  /** Closes the stream, or cancels the wait. */
  let stop = () => {}
  /** True while there is no stream and none is waited for: the next response opens one. */
  let canOpen = true
  let failures = 0
  let etag = ''
  let revision = ''
  /** The state that the last event announced. */
  let announced = ''

  async function load(signal: AbortSignal): Promise<void> {
    const awaited = announced && `?flagConfigEtag=${encodeURIComponent(announced)}`
    const headers: Record<string, string> = { 'Content-Type': 'application/json' }
    if (etag) headers['If-None-Match'] = etag
    const init = { method: 'POST', body, signal }
    const response = await request(`/ofrep/v1/evaluate/flags${awaited}`, init, headers)
    if (response.status === 304) return
    const { flags, metadata } = await response.json()
    if (isStopped || signal.aborted) return
    // A portal or a proxy responds with what it likes.
    if (!Array.isArray(flags)) throw new Error('the response has no list of flags')
    onResults(flags)
    etag = response.headers.get('etag') ?? ''
    revision = String(metadata?.version)
  }

  function open(): void {
    const openedMs = clock.now()
    canOpen = false
    stop = openEventStream(
      request,
      clock,
      (_name, text) => {
        const event = JSON.parse(text)
        if (event.type !== 'refetchEvaluation') return
        announced = String(event.etag)
        void update()
      },
      (error) => {
        if (clock.now() - openedMs >= HEALTHY_AFTER_MS) failures = 0
        retry(error)
      },
      '/ofrep/v1/events',
      // A change since then is announced at once.
      { 'Last-Event-ID': revision },
    )
  }

  function retry(error: ClientError): void {
    stop()
    const ms = isRefusal(error) ? UNAUTHORIZED_RETRY_MS : retryDelayMs(failures++, random())
    stop = clock.setTimer(
      () => {
        canOpen = true
        void update()
      },
      Math.max(ms, retryAfterMs(error)),
    )
    onError(error)
  }

  const update = oneAtATime(async () => {
    try {
      await timed(clock, load)
      if (canOpen && !isStopped) open()
    } catch (error) {
      // Errors of `request` and of JSON.
      if (!isStopped) retry(error as ClientError)
    }
  })

  void update()
  return () => {
    isStopped = true
    stop()
  }
}
