/** One request to the server. Rejects when the network fails or the signal is aborted. */
export type Request = (path: string, init: RequestOptions) => Promise<Response>

interface RequestOptions extends Omit<RequestInit, 'headers'> {
  readonly headers: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

/** @param url The server's base address; a path in it is kept. */
export function createRequest(url: string, sdkKey: string, fetch: typeof globalThis.fetch): Request {
  const base = url.replace(/\/+$/, '')
  return (path, { headers, ...init }) =>
    fetch(base + path, {
      cache: 'no-store',
      ...init,
      headers: { ...headers, Authorization: `Bearer ${sdkKey}` },
    })
}
