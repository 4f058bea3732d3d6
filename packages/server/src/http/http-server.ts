import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { BODY_MAX_BYTES, type Endpoint, type endpoints } from '@burgee/contract'
import helmet from '@fastify/helmet'
import {
  type ConnectionError,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
  LogController,
} from 'fastify'
import type { EndpointHandler, EndpointHandlers } from '../kernel/endpoint-handler.ts'
import { notFound } from '../kernel/refusal.ts'
import { type TrustProxy, trustedHops } from '../platform/client-address.ts'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import type { Metrics } from '../platform/metrics.ts'
import { SHORTCUT_PATH, type Shortcut } from '../stream/index.ts'
import { compressAnswers } from './compress-answers.ts'
import { mountPreflight } from './cors.ts'
import { errorReply } from './error-reply.ts'
import { type MountDeps, mountEndpoint } from './mount-endpoint.ts'
import { readBodies } from './parse-body.ts'
import {
  measureAnswers,
  type ObserveAnswer,
  REQUEST_ID_HEADER,
  type RecordAnswer,
  recordAnswers,
} from './record-answers.ts'
import { mountStaticFiles } from './static-files.ts'
import { toRefusal } from './to-refusal.ts'

/** A key of 100 characters, percent-encoded; anything longer is no route of ours. */
const PARAM_MAX_LENGTH = 300

export interface HttpServerDeps extends MountDeps {
  readonly log: Log
  readonly clock: Clock
  readonly metrics: Metrics
  readonly trust_proxy: TrustProxy
  /** The absolute folder of the files that a browser gets. */
  readonly public_dir: string
  /** Answers some requests before the framework sees them. */
  readonly shortcut?: Shortcut
}

/** Every endpoint of the contract, mounted: the compiler compares the two lists. */
export async function createHttpServer(
  deps: HttpServerDeps,
  all: typeof endpoints,
  handlers: EndpointHandlers<typeof endpoints>,
): Promise<FastifyInstance> {
  const { trust_proxy } = deps
  const observe = measureAnswers(deps.metrics)
  const loggerInstance: FastifyBaseLogger = deps.log
  const app = fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    // Lines name their request themselves; a child logger for each costs as much as some answers do.
    childLoggerFactory: (logger) => logger,
    trustProxy: trustedHops(trust_proxy),
    bodyLimit: BODY_MAX_BYTES,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: PARAM_MAX_LENGTH },
    clientErrorHandler: answerBadHttp,
    frameworkErrors: (error, request, reply) => {
      reply.raw.once('finish', () => record(request, reply))
      return answerError(error, request, reply.header(REQUEST_ID_HEADER, request.id))
    },
  })
  app.decorateRequest('checked', undefined)
  app.setValidatorCompiler(({ httpPart, schema }) =>
    httpPart === 'body' ? deps.validators.body(schema as object) : deps.validators.query(schema as object),
  )
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply))
  readBodies(app)
  endConnectionsWhenClosing(app)
  compressAnswers(app)
  const record = recordAnswers(app, { log: deps.log, observe })
  await app.register(helmet, {
    contentSecurityPolicy: false,
    // Sibling hosts are not ours to bind.
    strictTransportSecurity: { includeSubDomains: false },
    global: true,
  })
  mountAll(app, { ...deps, record }, all, handlers)
  const allowed = allowedMethods(all)
  app.setNotFoundHandler((request, reply) => answerUnknown(allowed, request, reply))
  await mountStaticFiles(app, deps)
  if (deps.shortcut && !deps.log.isLevelEnabled('debug'))
    takeShortcut(app, deps.shortcut, { clock: deps.clock, observe })
  return app
}

const MS_PER_SECOND = 1000

/** While closing, and where every answer is to be logged, all requests go the ordinary way. */
function takeShortcut(
  app: FastifyInstance,
  shortcut: Shortcut,
  { clock, observe }: { readonly clock: Clock; readonly observe: ObserveAnswer },
): void {
  const ordinary = app.server.listeners('request')
  let is_closing = false
  app.addHook('preClose', async () => {
    is_closing = true
  })
  app.server.removeAllListeners('request')
  app.server.on('request', (request, response) => {
    const started_ms = clock.monotonicMs()
    if (!is_closing && shortcut(request, response)) {
      const labels = { method: 'GET', endpoint: SHORTCUT_PATH, status: String(response.statusCode) }
      observe(labels, (clock.monotonicMs() - started_ms) / MS_PER_SECOND)
      return
    }
    for (const listener of ordinary) listener.call(app.server, request, response)
  })
}

/** What helmet and the CORS of the snapshot put on an answer, for the shortcut; a test compares the two. */
export const SNAPSHOT_HEADERS: readonly string[] = [
  ['cross-origin-opener-policy', 'same-origin'],
  ['cross-origin-resource-policy', 'same-origin'],
  ['origin-agent-cluster', '?1'],
  ['referrer-policy', 'no-referrer'],
  ['strict-transport-security', 'max-age=31536000'],
  ['x-content-type-options', 'nosniff'],
  ['x-dns-prefetch-control', 'off'],
  ['x-download-options', 'noopen'],
  ['x-frame-options', 'SAMEORIGIN'],
  ['x-permitted-cross-domain-policies', 'none'],
  ['x-xss-protection', '0'],
  ['access-control-allow-origin', '*'],
  ['access-control-expose-headers', 'etag, x-environment-id, retry-after, x-request-id'],
].flat()

/** A connection that a client keeps alive after its last answer would hold the shutdown up. */
function endConnectionsWhenClosing(app: FastifyInstance): void {
  let closing = false
  app.addHook('preClose', async () => {
    closing = true
  })
  app.addHook('onSend', async (_request, reply) => {
    if (closing) reply.header('connection', 'close')
  })
}

function mountAll(
  app: FastifyInstance,
  deps: MountDeps & { readonly record: RecordAnswer },
  all: typeof endpoints,
  handlers: EndpointHandlers<typeof endpoints>,
): void {
  for (const [name, endpoint] of Object.entries<Endpoint>(all)) {
    // The parameter's type has paired each name's handler with its endpoint; the loop forgets which.
    const handler = handlers[name as keyof typeof handlers] as unknown as EndpointHandler<Endpoint>
    mountEndpoint(app, deps, endpoint, handler)
    if (endpoint.cors) mountPreflight(app, endpoint.path, [endpoint.method])
  }
}

interface AllowedMethods {
  readonly pattern: RegExp
  /** As the header names them: `GET, HEAD, POST`. */
  readonly allow: string
}

/** What each path of the contract offers. */
function allowedMethods(all: Readonly<Record<string, Endpoint>>): AllowedMethods[] {
  const by_path = new Map<string, string[]>()
  for (const { method, path, produces } of Object.values(all)) {
    const methods = by_path.get(path) ?? []
    by_path.set(path, methods)
    methods.push(method)
    if (method === 'GET' && produces !== 'text/event-stream') methods.push('HEAD')
  }
  return [...by_path].map(([path, methods]) => ({
    pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+')}$`),
    allow: methods.join(', '),
  }))
}

/** A path of the contract with another method is 405 with `Allow`, any other path 404. */
function answerUnknown(
  allowed: readonly AllowedMethods[],
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const [path = ''] = request.url.split('?')
  const allow = allowed.find(({ pattern }) => pattern.test(path))?.allow
  // A method that is allowed comes here when a parameter is too long for the router: nothing has such a name.
  const is_offered = allow?.split(', ').includes(request.method)
  if (allow === undefined || is_offered) return answerError(notFound('route'), request, reply)
  return reply
    .code(405)
    .header('allow', allow)
    .send({ error: `Use ${allow} here.` })
}

/** Something that is no HTTP request at all gets the same kind of body as everything else. */
function answerBadHttp(error: ConnectionError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return
  const status = BAD_HTTP_STATUS.get(error.code) ?? '400 Bad Request'
  const body = JSON.stringify({ error: 'The request could not be read as HTTP.' })
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
  )
}
const BAD_HTTP_STATUS = new Map([
  ['HPE_HEADER_OVERFLOW', '431 Request Header Fields Too Large'],
  ['ERR_HTTP_REQUEST_TIMEOUT', '408 Request Timeout'],
])

function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal = toRefusal(error)
  if (!refusal) {
    request.log.error({ err: error, request_id: request.id }, 'a request failed')
    return reply.code(500).send({ error: `Something went wrong on the server (request ${request.id}).` })
  }
  const { body, headers, status } = errorReply(refusal)
  return reply.code(status).headers(headers).send(body)
}
