import { STATUS_CODES } from 'node:http'
import { API_POLICY } from '../../kernel/api-policy.ts'

const TOO_SLOW = 'The request did not arrive in time. Send it faster, or in smaller parts.'
const HEADERS_TOO_LARGE = 'The headers are larger than 16 KiB in all. Send less.'
const EXTENSIONS_TOO_LARGE = 'The extensions of the chunks are too large. Send the chunks without them.'
const UNREADABLE = 'The request could not be read as HTTP.'

const ANSWERS: ReadonlyMap<string, { readonly status: number; readonly error: string }> = new Map([
  ['HPE_HEADER_OVERFLOW', { status: 431, error: HEADERS_TOO_LARGE }],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', { status: 413, error: EXTENSIONS_TOO_LARGE }],
  ['ERR_HTTP_REQUEST_TIMEOUT', { status: 408, error: TOO_SLOW }],
])

/** Builds the response to bytes that are not an HTTP request, by the code of the parser's error. */
export function badHttpResponse(code: string): string {
  const { error, status } = ANSWERS.get(code) ?? { status: 400, error: UNREADABLE }
  const body = JSON.stringify({ error })
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'X-Content-Type-Options: nosniff',
    `Content-Security-Policy: ${API_POLICY}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n')
}
