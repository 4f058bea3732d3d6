import { createProxyFetch, type ProxySettings } from '@burgee/egress'
import type { FetchBody } from 'openid-client'

/** The size of a response of the identity provider. Documents, keys and tokens have some kilobytes. */
const RESPONSE_MAX_BYTES = 1024 * 1024

/** The statuses whose responses have no body (Fetch Standard, "null body status"). */
const WITHOUT_BODY: readonly number[] = [204, 205, 304]

interface FetchOptions {
  readonly method: string
  readonly headers: Readonly<Record<string, string>> | Headers
  readonly body?: FetchBody
  readonly signal?: AbortSignal | undefined
}

/** Fetches from the identity provider. Throws for a response of more than a megabyte. */
export type BoundedFetch = (url: string, options: FetchOptions) => Promise<Response>

/**
 * Creates the function that fetches from the identity provider, whose addresses the operator has chosen,
 * through the proxy of the settings. Redirects are not followed. `signal` also ends the reading of the body.
 */
export function createBoundedFetch(proxy: ProxySettings): BoundedFetch {
  const send = createProxyFetch(proxy)
  return async (url, { body = null, headers, method, signal }) => {
    const response = await send(url, {
      method,
      headers,
      // The two types of the same bodies differ in buffers that threads share.
      body: body as NonNullable<RequestInit['body']> | null,
      redirect: 'manual',
      ...(signal !== undefined && { signal }),
    })
    const { status } = response
    const bytes = await readBounded(response)
    return new Response(WITHOUT_BODY.includes(status) ? null : bytes, { status, headers: response.headers })
  }
}

async function readBounded({ body }: Response): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let length = 0
  // Leaving the loop cancels the rest.
  for await (const chunk of body ?? []) {
    length += chunk.length
    if (length > RESPONSE_MAX_BYTES) throw new TypeError('the response of the identity provider is too large')
    chunks.push(chunk)
  }
  return new Uint8Array(Buffer.concat(chunks))
}
