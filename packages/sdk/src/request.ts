import { type ClientError, isRefusal } from './client-error.ts'
import type { ServerClock } from './server-clock.ts'

/**
 * Sends one request to the server.
 * @throws AnswerError when the server responds with an unexpected status. Errors of `fetch` when the network
 *   fails or the signal is aborted.
 */
export type Request = (path: string, init: RequestInit, headers?: Record<string, string>) => Promise<Response>

/** An unexpected response of the server. */
export interface AnswerError extends ClientError {
  readonly status: number
  /** The `Retry-After` header. */
  readonly retryAfter: string | null
}

/** @param url The base address of the server. A path in it is kept. */
export function createRequest(
  url: string,
  sdkKey: string,
  fetch: typeof globalThis.fetch,
  serverClock: Pick<ServerClock, 'observe'>,
): Request {
  return async (path, init, headers) => {
    const response = await fetch(url.replace(/\/+$/, '') + path, {
      cache: 'no-store',
      ...init,
      headers: { ...headers, Authorization: `Bearer ${sdkKey}` },
    })
    serverClock.observe(response.headers.get('date'))
    const { ok, status } = response
    if (ok || status === 304) return response
    const error = Object.assign(new Error(`${path} returned ${status}`), {
      status,
      retryAfter: response.headers.get('retry-after'),
    })
    if (status === 404) error.message += ': check the url'
    if (isRefusal(error)) error.message += ': the SDK key is not accepted'
    throw error
  }
}

/** The longest wait that a server can ask for. */
const MAX_RETRY_AFTER_MS = 3_600_000

/** Returns the wait that the server asked for in seconds, in milliseconds; 0 without one. */
export const retryAfterMs = ({ retryAfter }: Partial<AnswerError>): number =>
  Math.min(MAX_RETRY_AFTER_MS, Math.max(0, Number(retryAfter) * 1_000 || 0))

/** Returns a signal that ends a request after its time; null in React Native, which has none. */
export const timeoutSignal = (ms: number): AbortSignal | null =>
  (AbortSignal as Partial<typeof AbortSignal>).timeout?.(ms) ?? null
