import type { ServerResponse } from 'node:http'
import { API_POLICY } from '../../kernel/api-policy.ts'

/** Responds to a request without the framework, and closes its connection. */
export function respondDirectly(
  response: ServerResponse,
  status: number,
  body: { readonly error: string; readonly retry_after_seconds?: number },
): void {
  const text = JSON.stringify(body)
  const { retry_after_seconds: retryAfter } = body
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    'x-content-type-options': 'nosniff',
    'content-security-policy': API_POLICY,
    'cache-control': 'no-store',
    connection: 'close',
    ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
  })
  response.end(text)
}
