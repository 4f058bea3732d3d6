import type { createServer } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import { SHORTCUT_PATH, type Shortcut } from '../stream/index.ts'
import type { Connections } from './connections/create-connections.ts'
import { respondDirectly } from './connections/respond-directly.ts'
import { createPace } from './pace.ts'
import type { ObserveResponse } from './record-responses.ts'

interface FrontDeps {
  readonly clock: Clock
  readonly log: Log
  readonly connections: Connections
  readonly observe: ObserveResponse
  readonly shortcut?: Shortcut
}

type RequestListener = NonNullable<Parameters<typeof createServer>[1]>

const MS_PER_SECOND = 1000
/**
 * The streams that are opened in one turn. After a restart all clients open theirs in the same second, and
 * `/health` must not wait for all of them.
 */
const STREAMS_PER_TURN = 20
const STREAM_URL = /^\/stream(\?|$)/

/** Runs before the framework what does not need it: the limits of connections, and fast responses. */
export function frontRequests(app: FastifyInstance, deps: FrontDeps): void {
  const { connections } = deps
  const { server } = app
  const ordinary = server.listeners('request')
  const isShortcut = shortcutResponses(app, deps)
  const pace = createPace(STREAMS_PER_TURN)
  server.removeAllListeners('request')
  const onRequest: RequestListener = (request, response) => {
    if (!connections.admitRequest(request, response) || isShortcut(request, response)) return
    const respond = () => {
      for (const listener of ordinary) listener.call(server, request, response)
    }
    if (STREAM_URL.test(request.url ?? '')) pace.run(respond)
    else respond()
  }
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
function shortcutResponses(app: FastifyInstance, { clock, log, observe, shortcut }: FrontDeps): Shortcut {
  if (!shortcut || log.isLevelEnabled('debug')) return () => false
  let isClosing = false
  app.addHook('preClose', async () => {
    isClosing = true
  })
  return (request, response) => {
    const startedMs = clock.monotonicMs()
    if (isClosing || !shortcut(request, response)) return false
    const labels = { method: 'GET', endpoint: SHORTCUT_PATH, status: String(response.statusCode) }
    observe(labels, (clock.monotonicMs() - startedMs) / MS_PER_SECOND)
    return true
  }
}
