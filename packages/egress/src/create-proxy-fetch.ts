import type { IncomingMessage } from 'node:http'
import { Agent, request } from 'node:https'
import { Readable } from 'node:stream'
import { findProxy, type ProxySettings } from './find-proxy.ts'
import { followRedirects, type SendOnce } from './follow-redirects.ts'
import { openTunnel } from './open-tunnel.ts'

/** The statuses whose responses have no body (Fetch Standard, "null body status"). */
const WITHOUT_BODY: readonly number[] = [204, 205, 304]

/**
 * Creates a `fetch` that sends requests through the proxy where the settings have one for them, and others
 * with the `fetch` of the runtime; without a proxy it is that one. Through the proxy, responses are not
 * compressed, and bodies are texts or bytes.
 */
export function createProxyFetch(settings: ProxySettings, direct: typeof fetch = fetch): typeof fetch {
  if (!settings.HTTPS_PROXY?.trim()) return direct
  const agents = new Map<string, Agent>()
  // A redirect may lead to a host that is reached directly, and back.
  const sendOnce: SendOnce = async (url, init) => {
    const proxy = findProxy(url, settings)
    if (proxy === null) return direct(url.href, { ...init, redirect: 'manual' })
    const agent = agents.get(proxy.href) ?? createAgent(proxy)
    agents.set(proxy.href, agent)
    return toResponse(await send(url, init, agent))
  }
  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input)
    if (input instanceof Request || findProxy(url, settings) === null) return direct(input, init)
    return followRedirects(sendOnce, url, init)
  }
}

/** Creates an agent whose connections are tunnels, which later requests use again. */
function createAgent(proxy: URL): Agent {
  const agent = new Agent({ keepAlive: true })
  agent.createConnection = ({ host, port }, callback) => {
    openTunnel({ proxy, hostname: host ?? '', port: Number(port) }, (error, socket) => {
      // The declared type has no place for a failure without a socket.
      callback?.(error, socket as NonNullable<typeof socket>)
    })
    return undefined
  }
  return agent
}

function send(url: URL, init: RequestInit, agent: Agent): Promise<IncomingMessage> {
  const { body, method = 'GET', signal } = init
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      method,
      agent,
      headers: Object.fromEntries(new Headers(init.headers)),
    })
    // Its signal would wait for the connection, which may never open.
    const end = () => {
      reject(signal?.reason)
      sent.destroy(signal?.reason)
    }
    if (signal?.aborted) end()
    signal?.addEventListener('abort', end, { once: true })
    sent.once('close', () => signal?.removeEventListener('abort', end))
    sent.once('response', resolve)
    sent.on('error', reject)
    if (body === null || body === undefined) sent.end()
    else sent.end(typeof body === 'string' || body instanceof Uint8Array ? body : String(body))
  })
}

function toResponse(message: IncomingMessage): Response {
  const { headersDistinct, statusCode: status = 0, statusMessage: statusText = '' } = message
  const headers = new Headers()
  for (const [name, values = []] of Object.entries(headersDistinct))
    for (const value of values) headers.append(name, value)
  if (WITHOUT_BODY.includes(status)) message.resume()
  // The stream of Node is that of the web, which its types do not state.
  const body = WITHOUT_BODY.includes(status) ? null : (Readable.toWeb(message) as ReadableStream<Uint8Array>)
  return new Response(body, { status, statusText, headers })
}
