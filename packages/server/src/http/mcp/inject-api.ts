import { type Endpoint, endpoints } from '@burgee/contract'
import { type ToolApi, ToolError } from '@burgee/mcp'
import type { FastifyInstance } from 'fastify'
import { ORIGIN_HEADER } from '../requests/origin-header.ts'

interface Caller {
  /** The value of the header Authorization. */
  readonly authorization: string
  /** The address of the client. */
  readonly address: string
}

type Values = Readonly<Record<string, unknown>>
interface AnyInput {
  readonly params?: Values | undefined
  readonly query?: Values | undefined
  readonly body?: unknown
}

/**
 * Creates the client of this server's own endpoints. Each call is a request without a socket, with every
 * check of one that arrives: the token, its limits, access, validation and the audit log.
 */
export function createInjectApi(app: FastifyInstance, caller: Caller): ToolApi {
  const send: ToolApi['send'] = async (name, input, { headers, ifMatch } = {}) => {
    const endpoint: Endpoint = endpoints[name]
    // The inputs of endpoints differ; each has some of these fields.
    const { body } = input as AnyInput
    const response = await app.inject({
      method: endpoint.method,
      url: urlOf(endpoint, input as AnyInput),
      remoteAddress: caller.address,
      headers: {
        ...headers,
        authorization: caller.authorization,
        [ORIGIN_HEADER]: 'mcp',
        ...(ifMatch !== undefined && { 'if-match': `"${ifMatch}"` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { payload: JSON.stringify(body) }),
    })
    const reply: unknown = response.payload === '' ? null : JSON.parse(response.payload)
    if (response.statusCode >= 400) throw new ToolError(messageOf(response.statusCode, reply))
    return {
      // The contract states which body comes with a success, and the server's tests compare the two.
      body: reply as never,
      header: (wanted) => {
        const value = response.headers[wanted]
        return value === undefined ? null : String(value)
      },
    }
  }
  return { send, call: async (name, input, options) => (await send(name, input, options)).body }
}

function urlOf({ path }: Endpoint, { params, query }: AnyInput): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String(params?.[name] ?? '')),
  )
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {}))
    if (value !== undefined) search.set(name, String(value))
  return search.size === 0 ? filled : `${filled}?${search}`
}

function messageOf(status: number, reply: unknown): string {
  const { error }: { error?: unknown } = Object(reply)
  return `${typeof error === 'string' ? error : 'The server refused it.'} (status ${status})`
}
