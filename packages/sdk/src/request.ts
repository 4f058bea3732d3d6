import { type ClientError, isRefusal } from './client-error.ts'
import type { Clock } from './platform.ts'
import type { ServerClock } from './server-clock.ts'

/**
 * Sends one request to the server.
 * @throws ResponseError when the server responds with an unexpected status. Errors of `fetch` when the
 *   network fails or the signal is aborted.
 */
export type Request = (path: string, init: RequestInit, headers?: Record<string, string>) => Promise<Response>

/** An unexpected response of the server. */
export interface ResponseError extends ClientError {
  readonly status: number
  /** The `Retry-After` header. */
  readonly retryAfter: string | null
}

/**
 * Requires an address and a key that requests can send. No request could send other characters, such as a
 * zero-width one of the page that the key was copied from.
 * @throws TypeError when one of them is missing or unfit.
 */
export function requireAddress(url: string, sdkKey: string): void {
  if (!(url && /^\s*[!-~]+\s*$/.test(sdkKey ?? '')))
    throw new TypeError('createClient needs a url, and an sdkKey without hidden characters')
}

/** @param url The base address of the server. A path in it is kept. */
export function createRequest(
  url: string,
  sdkKey: string,
  fetch: typeof globalThis.fetch,
  serverClock?: Pick<ServerClock, 'observe'>,
): Request {
  return async (path, init, headers) => {
    const response = await fetch(url.replace(/\/+$/, '') + path, {
      cache: 'no-store',
      ...init,
      headers: { ...headers, Authorization: `Bearer ${sdkKey}` },
    })
    serverClock?.observe(response.headers.get('date'))
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

/** The longest wait that a server can request. */
const MAX_RETRY_AFTER_MS = 3_600_000

/** Returns the wait that the server requested in seconds, in milliseconds; 0 without one. */
export const retryAfterMs = ({ retryAfter }: Partial<ResponseError>): number =>
  Math.min(MAX_RETRY_AFTER_MS, Math.max(0, Number(retryAfter) * 1_000 || 0))

/** The time of a request with its response. A stream has none. */
export const REQUEST_TIMEOUT_MS = 10_000

/**
 * Ends a wait after its time, also where a transport ignores the signal, and at once when the controller is
 * aborted. A Node program does not end meanwhile.
 */
export const timed = <Result>(
  clock: Clock,
  run: (signal: AbortSignal) => Promise<Result>,
  ms = REQUEST_TIMEOUT_MS,
  controller = new AbortController(),
): Promise<Result> =>
  new Promise((resolve, reject) => {
    const { signal } = controller
    const cancel = clock.setTimer(() => controller.abort(), ms, true)
    signal.onabort = () => {
      cancel()
      reject(new Error(`no end within ${ms} ms`))
    }
    run(signal).finally(cancel).then(resolve, reject)
  })

/** The largest body of a request that can outlive its page; browsers allow 64 KiB. */
export const MAX_BATCH_BYTES = 60_000

/** Sends a JSON text. A small one is still sent when its page ends. */
export const post = (
  clock: Clock,
  request: Request,
  path: string,
  body: string,
  headers?: Record<string, string>,
): Promise<void> =>
  timed(clock, async (signal) => {
    const init = { method: 'POST', body, keepalive: body.length <= MAX_BATCH_BYTES, signal }
    const response = await request(path, init, { 'Content-Type': 'application/json', ...headers })
    // Reading the body frees the connection for the next request.
    await response.text()
  })
