import { type Agent, request as httpRequest, type IncomingMessage } from 'node:http'
import { gunzipSync } from 'node:zlib'
import type { WireRequest } from './draft.ts'

export interface WireAnswer {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly body: string
  readonly took_ms: number
}

/** The time after which a request hangs. A response takes milliseconds, on a busy machine seconds. */
const PATIENCE_MS = 60_000
/** The end of a bootstrap, up to which streams are read. That of OFREP has only a hint. */
const STREAM_IS_OPEN = /\nevent: ready\n|^retry: 1000\n\n/
const STREAM_END_CHARS = 20
/** The part of a stream that is enough to check it. */
const STREAM_CHARS_MAX = 8 * 1024 * 1024

/** Sends a request as it is. Rejects without a response in time. */
export function sendWireRequest(
  { agent, url }: { readonly agent: Agent; readonly url: string },
  { body, headers, method, path }: WireRequest,
): Promise<WireAnswer> {
  const { hostname, port } = new URL(url)
  const started = performance.now()
  return new Promise((resolve, reject) => {
    const all = { ...headers, ...(body && { 'content-length': String(body.length) }) }
    const sent = httpRequest({ agent, hostname, port, method, path, headers: mutable(all) }, (response) => {
      read(response).then(resolve, reject)
    })
    const timer = setTimeout(() => sent.destroy(new Error('no answer in time')), PATIENCE_MS)
    sent.on('error', reject)
    sent.on('close', () => clearTimeout(timer))
    sent.end(body)
  })

  async function read(response: IncomingMessage): Promise<WireAnswer> {
    const isStream = response.headers['content-type']?.startsWith('text/event-stream') ?? false
    const bytes = isStream ? await readBootstrap(response) : await readAll(response)
    const isZipped = response.headers['content-encoding'] === 'gzip' && bytes.length > 0
    return {
      status: response.statusCode ?? 0,
      headers: response.headers,
      body: (isZipped ? gunzipSync(bytes) : bytes).toString(),
      took_ms: performance.now() - started,
    }
  }
}

type OutgoingHeaders = Record<string, string | string[]>
const mutable = (headers: WireRequest['headers']): OutgoingHeaders =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, typeof value === 'string' ? value : [...value]]),
  )

async function readAll(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** Reads until `ready`, then closes. */
async function readBootstrap(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  let end = ''
  for await (const chunk of response) {
    chunks.push(chunk)
    length += chunk.length
    end = (end + chunk.toString('latin1')).slice(-chunk.length - STREAM_END_CHARS)
    if (STREAM_IS_OPEN.test(end) || length > STREAM_CHARS_MAX) break
  }
  return Buffer.concat(chunks)
}
