import { call, urlOf } from '../../shared/api/call.ts'
import { readStreamUpdate, type StreamUpdate } from './stream-update.ts'

const BACKOFF_BASE_MS = 1_000
const BACKOFF_CAP_MS = 30_000

export type StreamStatus = 'connecting' | 'live' | 'reconnecting'

interface StreamListener {
  /** The stream starts over: what it stated before no longer counts. */
  onBegin(): void
  onUpdate(update: StreamUpdate): void
  /** Everything that SDKs see has been sent. */
  onReady(): void
  onStatus(status: StreamStatus): void
}

/**
 * Keeps the session's stream of an environment open until the returned function is called. The browser
 * reconnects by itself when the network fails. After a refusal (signed out, no longer a member, server busy)
 * this function does, at growing random intervals.
 */
export function openStream(env_id: string, listener: StreamListener): () => void {
  let source: EventSource | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let failures = 0

  const connect = () => {
    source = new EventSource(urlOf('openStream', { query: { environment_id: env_id } }))
    source.addEventListener('connected', listener.onBegin)
    source.addEventListener('update', ({ data }: MessageEvent<string>) => {
      const update = readStreamUpdate(data, env_id)
      if (update) listener.onUpdate(update)
    })
    source.addEventListener('ready', () => {
      failures = 0
      listener.onStatus('live')
      listener.onReady()
    })
    source.addEventListener('error', retry)
  }

  function retry() {
    listener.onStatus('reconnecting')
    if (source?.readyState !== EventSource.CLOSED) return
    // Lets the page know when the session has ended.
    call('getCurrentUser', {}).catch(() => undefined)
    const waitMs = Math.random() * Math.min(BACKOFF_CAP_MS, BACKOFF_BASE_MS * 2 ** failures)
    failures += 1
    timer = setTimeout(connect, waitMs)
  }

  listener.onStatus('connecting')
  connect()
  return () => {
    clearTimeout(timer)
    source?.close()
  }
}
