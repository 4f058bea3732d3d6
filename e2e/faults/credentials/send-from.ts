import { Agent, request } from 'node:http'
import { PATIENCE_MS } from '../../harness/within.ts'

export interface SentRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** An object is sent as JSON, a text as it is. */
  readonly body?: object | string
}

/**
 * Sends requests from one address of the loopback network, on kept connections; resolves with the status, or
 * 0 without a response.
 */
export function createSender(url: string, localAddress: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY })
  const send = ({ body, headers, method, path }: SentRequest): Promise<number> =>
    new Promise((resolve) => {
      const text = typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body)
      const typed = body === undefined ? {} : { 'content-type': 'application/json' }
      const sent = request(url + path, { method, agent, localAddress, headers: { ...typed, ...headers } })
      sent.on('response', (response) => {
        response.resume()
        response.on('close', () => resolve(response.complete ? (response.statusCode ?? 0) : 0))
      })
      sent.setTimeout(PATIENCE_MS, () => sent.destroy())
      sent.on('error', () => resolve(0))
      sent.end(text)
    })
  return { send, close: () => agent.destroy() }
}

/** Returns `127.0.0.2` and the following addresses: the tests themselves use `127.0.0.1`. */
export const loopbackAddress = (index: number): string => `127.0.${(index + 2) >> 8}.${(index + 2) & 255}`
