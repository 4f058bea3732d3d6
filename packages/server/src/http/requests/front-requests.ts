import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log/log.ts'
import { createPace } from '../responses/pace.ts'
import type { ObserveResponse } from '../responses/record-responses.ts'
import type { Connections } from '../sockets/create-connections.ts'
import { respondDirectly } from '../sockets/respond-directly.ts'
import { removeBasePath } from './base-path.ts'

interface FrontDeps {
  readonly clock: Clock
  readonly log: Log
  readonly connections: Connections
  readonly observe: ObserveResponse
  readonly shortcuts?: readonly Shortcut[]
  /** The path of `PUBLIC_URL`, below which people reach the server; empty for none. */
  readonly basePath: string
}

/**
 * Responds to the request, or returns false without any effect. `onResponse` is called with the endpoint,
 * once the response was written.
 */
export type Shortcut = (
  request: IncomingMessage,
  response: ServerResponse,
  onResponse: (endpoint: string) => void,
) => boolean

const MS_PER_SECOND = 1000
/**
 * The streams that are opened in one turn. After a restart all clients open theirs in the same second, and
 * `/health` must not wait for all of them.
 */
const STREAMS_PER_TURN = 20
const STREAM_URL = /^\/(?:stream|ofrep\/v1\/events)(\?|$)/

/** Runs before the framework what does not need it: the limits of connections, and fast responses. */
export function frontRequests(app: FastifyInstance, deps: FrontDeps): void {
  const { connections } = deps
  const { server } = app
  const ordinary = server.listeners('request')
  const isShortcut = shortcutResponses(app, deps)
  const pace = createPace(STREAMS_PER_TURN)
  server.removeAllListeners('request')
  const onRequest = removeBasePath(deps.basePath, (request, response) => {
    if (!connections.admitRequest(request, response)) return
    if (isShortcut(request, response)) {
      // Only requests with a known key are handled there.
      connections.acceptCredential(request)
      return
    }
    const respond = () => {
      for (const listener of ordinary) listener.call(server, request, response)
    }
    if (STREAM_URL.test(request.url ?? '')) pace.run(respond)
    else respond()
  })
  server.on('request', onRequest)
  server.on('connection', pace.connectionAccepted)
  server.on('checkExpectation', (request, response) => {
    if (!connections.admitRequest(request, response)) return
    respondDirectly(response, 417, { error: 'The only supported expectation is 100-continue.' })
  })
  connections.attach(server)
}

/**
 * Creates the fast responses. While the server closes, or when every response is logged, all requests take
 * the ordinary path.
 */
function shortcutResponses(
  app: FastifyInstance,
  { clock, log, observe, shortcuts = [] }: FrontDeps,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  if (log.isLevelEnabled('debug')) return () => false
  let isClosing = false
  app.addHook('preClose', async () => {
    isClosing = true
  })
  return (request, response) => {
    if (isClosing) return false
    const startedMs = clock.monotonicMs()
    const { method = '' } = request
    const onResponse = (endpoint: string) => {
      const labels = { method, endpoint, status: String(response.statusCode) }
      observe(labels, (clock.monotonicMs() - startedMs) / MS_PER_SECOND)
    }
    return shortcuts.some((shortcut) => shortcut(request, response, onResponse))
  }
}
