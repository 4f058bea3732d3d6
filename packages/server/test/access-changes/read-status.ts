import { Agent, request } from 'node:http'
import type { Call, TestServer } from '../harness/start-test-server.ts'

const SOCKETS_MAX = 16
const agent = new Agent({ keepAlive: true, maxSockets: SOCKETS_MAX })

/**
 * Returns the status of a request, without reading its body into a text. A run sends hundreds of thousands of
 * them, and the checks of `TestServer.call` take most of the time of such a request.
 */
export function readStatus({ url }: TestServer, { as, body, path }: ProbeCall): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(
      url + path,
      {
        agent,
        method: body === undefined ? 'GET' : 'POST',
        headers: {
          ...('cookie' in as
            ? { cookie: as.cookie, 'x-flagservice-request': 'true' }
            : { authorization: `Bearer ${as.bearer}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
      },
      (response) => {
        response.resume().on('end', () => resolve(response.statusCode ?? 0))
        response.on('error', reject)
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}

interface ProbeCall extends Pick<Call, 'path'> {
  readonly as: { readonly cookie: string } | { readonly bearer: string }
  /** JSON. A request with a body is a POST. */
  readonly body?: string
}
