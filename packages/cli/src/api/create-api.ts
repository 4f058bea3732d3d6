import {
  type Endpoint,
  type EndpointBody,
  type EndpointInput,
  type EndpointName,
  type EndpointReply,
  endpoints,
} from '@burgee/contract'
import { CommandError } from '../command-error.ts'
import { ApiError } from './api-error.ts'
import { unreachable } from './connection-problem.ts'
import { readBounded } from './read-bounded.ts'

interface CallOptions {
  /** The revision that a write is based on: a stale one is refused with 412. */
  readonly ifMatch?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Milliseconds until the request is given up, 60,000 by default. */
  readonly timeoutMs?: number
}

type Reply<N extends EndpointName> = EndpointReply<N> & {
  readonly headers: Headers
}

/** The HTTP API by the names of the contract. */
export interface Api {
  readonly url: string
  /** Calls an endpoint and returns status, body and headers. Throws an `ApiError` unless it succeeds. */
  send<N extends EndpointName>(name: N, input: EndpointInput<N>, options?: CallOptions): Promise<Reply<N>>
  /** Calls an endpoint where only the body matters. */
  call<N extends EndpointName>(
    name: N,
    input: EndpointInput<N>,
    options?: CallOptions,
  ): Promise<EndpointBody<N>>
  /** Reads a path as a stream that may last longer than other requests. */
  stream(path: string, accept: string): Promise<ReadableStream<Uint8Array>>
}

const MIB = 1024 * 1024
/** The largest response that is read: more than the largest environment has. */
const RESPONSE_MAX_BYTES = 256 * MIB
const TIMEOUT_MS = 60_000

type Values = Readonly<Record<string, unknown>>
interface AnyInput {
  readonly params?: Values | undefined
  readonly query?: Values | undefined
  readonly body?: unknown
}

/** Creates the client of a server. `token` is a personal token, a service account's, or a server key. */
export function createApi(url: string, token: string | null, maxBytes = RESPONSE_MAX_BYTES): Api {
  const send = async <N extends EndpointName>(
    name: N,
    input: EndpointInput<N>,
    options: CallOptions = {},
  ): Promise<Reply<N>> => {
    const endpoint: Endpoint = endpoints[name]
    const { body } = input as AnyInput
    const response = await fetch(url + pathOf(endpoint, input), {
      method: endpoint.method,
      redirect: 'error',
      headers: {
        accept: 'application/json',
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(options.ifMatch !== undefined && { 'if-match': `"${options.ifMatch}"` }),
        ...options.headers,
      },
      signal: AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }).catch((error: unknown) => {
      throw unreachable(url, error)
    })
    const reply = await readBody(response, url, maxBytes)
    if (!response.ok) throw new ApiError(response.status, reply)
    // The contract states which body comes with which status.
    return { status: response.status, body: reply, headers: response.headers } as Reply<N>
  }
  const stream = async (path: string, accept: string): Promise<ReadableStream<Uint8Array>> => {
    const authorization = token === null ? {} : { authorization: `Bearer ${token}` }
    const response = await fetch(url + path, {
      redirect: 'error',
      headers: { accept, ...authorization },
    }).catch((error: unknown) => {
      throw unreachable(url, error)
    })
    if (response.ok && response.body) return response.body
    throw new ApiError(response.status, await readBody(response, url, maxBytes))
  }
  return { url, stream, send, call: async (name, input, options) => (await send(name, input, options)).body }
}

function pathOf({ path }: Endpoint, input: AnyInput): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String(input.params?.[name] ?? '')),
  )
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(input.query ?? {}))
    if (value !== undefined) query.set(name, String(value))
  return query.size === 0 ? filled : `${filled}?${query}`
}

async function readBody(response: Response, url: string, maxBytes: number): Promise<unknown> {
  const text = await readBounded(response, maxBytes).catch((error: unknown) => {
    throw unreachable(url, error)
  })
  if (text === null)
    throw new CommandError(
      `The response of ${url} has more than ${maxBytes / MIB} MiB. Check that this is the address of a Burgee server.`,
    )
  if (!response.headers.get('content-type')?.includes('json')) return text
  try {
    return JSON.parse(text)
  } catch {
    throw new CommandError(`The response of ${url} is not JSON. Is this the address of a Burgee server?`)
  }
}
