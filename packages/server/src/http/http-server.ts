import { randomUUID } from 'node:crypto'
import { BODY_MAX_BYTES, type Endpoint, type endpoints } from '@burgee/contract'
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifySchemaCompiler,
  fastify,
  LogController,
} from 'fastify'
import { basePathOf } from '../kernel/base-path.ts'
import { notFound } from '../kernel/refusal.ts'
import { type TrustProxy, trustedHops } from '../platform/client-address.ts'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log/log.ts'
import type { Metrics } from '../platform/metrics/metrics.ts'
import type { EndpointHandler, EndpointHandlers } from '../platform/replies/endpoint-handler.ts'
import { bodyTooLarge } from './bodies/body-too-large.ts'
import { readBodies } from './bodies/parse-body.ts'
import { type McpMountDeps, mountMcp } from './mcp/mount-mcp.ts'
import { type MountDeps, mountEndpoint } from './mount-endpoint.ts'
import { mountPreflight } from './requests/cors.ts'
import { frontRequests, type Shortcut } from './requests/front-requests.ts'
import { mountScim, type ScimMountDeps } from './requests/mount-scim.ts'
import { nameEnvironment } from './requests/name-environment.ts'
import { withoutPlainFormats } from './requests/plain-texts.ts'
import { compressResponses } from './responses/compress-responses.ts'
import { describeFailure, inProtocol } from './responses/describe-failure.ts'
import {
  measureResponses,
  REQUEST_ID_HEADER,
  type RecordResponse,
  recordResponses,
} from './responses/record-responses.ts'
import { BARE_RESPONSE_HEADERS, setResponseHeaders } from './responses/response-headers.ts'
import { mountStaticFiles } from './responses/static-files.ts'
import { isBodyTooLarge, toRefusal } from './responses/to-refusal.ts'
import { connectionTimeouts } from './sockets/connection-timeouts.ts'
import type { Connections } from './sockets/create-connections.ts'
import { limitForwarded } from './sockets/limit-forwarded.ts'

/** The length of a parameter: a key of 100 characters, percent-encoded. No route has a longer one. */
const PARAM_MAX_LENGTH = 300

export interface HttpServerDeps extends MountDeps, ScimMountDeps, McpMountDeps {
  readonly log: Log
  readonly clock: Clock
  readonly connections: Connections
  readonly metrics: Metrics
  readonly trustProxy: TrustProxy
  /** The time in which a request must have arrived completely. */
  readonly requestTimeoutSeconds: number
  /** The absolute folder of the files for browsers. */
  readonly publicDir: string
  /** Respond to some requests before the framework sees them. */
  readonly shortcuts?: readonly Shortcut[]
}

/** Creates the HTTP server with every endpoint of the contract: the compiler compares the two lists. */
export async function createHttpServer(
  deps: HttpServerDeps,
  all: typeof endpoints,
  handlers: EndpointHandlers<typeof endpoints>,
): Promise<FastifyInstance> {
  const { connections, trustProxy } = deps
  const observe = measureResponses(deps.metrics)
  // The framework logs every address that it listens on, also those that no other machine reaches.
  const level = deps.log.isLevelEnabled('info') ? 'warn' : deps.log.level
  const loggerInstance: FastifyBaseLogger = deps.log.child({}, { level })
  const app = fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    // Log lines contain the request id themselves. A child logger for each request costs as much as some
    // responses.
    childLoggerFactory: (logger) => logger,
    trustProxy: trustedHops(trustProxy),
    bodyLimit: BODY_MAX_BYTES,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: PARAM_MAX_LENGTH },
    schemaController: { compilersFactory: compilersOf(deps) },
    ...connectionTimeouts(deps.requestTimeoutSeconds),
    clientErrorHandler: connections.onClientError,
    frameworkErrors: (error, request, reply) => {
      reply.raw.once('finish', () => record(request, reply))
      reply.headers({ ...BARE_RESPONSE_HEADERS, [REQUEST_ID_HEADER]: request.id })
      return replyWithError(error, request, reply)
    },
  })
  app.decorateRequest('checked', undefined)
  app.decorateRequest('lease', undefined)
  app.setErrorHandler(async (error, request, reply) => {
    // The framework closes the connection after any error in a body. That is needed only while a part of it
    // is unread.
    const mayStay = request.raw.complete && reply.raw.shouldKeepAlive
    if (mayStay && reply.getHeader('connection') === 'close') reply.header('connection', 'keep-alive')
    return replyWithError(await nameEnvironment(deps.scopes, error), request, reply)
  })
  readBodies(app)
  endConnectionsWhenClosing(app)
  limitForwarded(app, connections)
  compressResponses(app)
  const record = recordResponses(app, { log: deps.log, observe })
  setResponseHeaders(app)
  mountAll(app, { ...deps, record }, all, handlers)
  const allowed = allowedMethods(all)
  app.setNotFoundHandler((request, reply) => replyNotFound(allowed, request, reply))
  await mountScim(app, deps)
  await mountMcp(app, deps)
  const basePath = basePathOf(deps.publicUrl)
  await mountStaticFiles(app, { ...deps, basePath })
  frontRequests(app, { ...deps, basePath, observe })
  return app
}

/**
 * Returns what compiles schemas. For what is not given here, the framework loads a validator and a serializer
 * of its own at each start, which nothing uses.
 */
function compilersOf({ validators }: HttpServerDeps) {
  const compile: FastifySchemaCompiler<unknown> = ({ httpPart, method, schema }) => {
    if (httpPart !== 'body') return validators.query(Object(schema))
    return validators.body(method === 'PATCH' ? withoutPlainFormats(Object(schema)) : Object(schema))
  }
  // No route has a schema of its responses.
  const buildSerializer = () => () => (value: unknown) => JSON.stringify(value)
  // The type of the option is that of the framework's own compiler, which takes schemas only.
  return { buildValidator: () => compile as never, buildSerializer }
}

/** Ends connections during a shutdown: one that a client keeps alive would delay it. */
function endConnectionsWhenClosing(app: FastifyInstance): void {
  let closing = false
  app.addHook('preClose', async () => {
    closing = true
  })
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (closing) reply.header('connection', 'close')
    done(null, payload)
  })
}

function mountAll(
  app: FastifyInstance,
  deps: MountDeps & { readonly record: RecordResponse },
  all: typeof endpoints,
  handlers: EndpointHandlers<typeof endpoints>,
): void {
  for (const [name, endpoint] of Object.entries<Endpoint>(all)) {
    // The type of the parameter pairs each name's handler with its endpoint; the loop loses that pairing.
    const handler = handlers[name as keyof typeof handlers] as unknown as EndpointHandler<Endpoint>
    mountEndpoint(app, deps, endpoint, handler)
    if (endpoint.cors) mountPreflight(app, endpoint)
  }
}

interface AllowedMethods {
  readonly pattern: RegExp
  /** The methods as the header lists them: `GET, HEAD, POST`. */
  readonly allow: string
}

/** Returns the methods of each path of the contract. */
function allowedMethods(all: Readonly<Record<string, Endpoint>>): AllowedMethods[] {
  const byPath = new Map<string, string[]>()
  for (const { method, path, produces } of Object.values(all)) {
    const methods = byPath.get(path) ?? []
    byPath.set(path, methods)
    methods.push(method)
    if (method === 'GET' && produces !== 'text/event-stream') methods.push('HEAD')
  }
  return [...byPath].map(([path, methods]) => ({
    pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+')}$`),
    allow: methods.join(', '),
  }))
}

/**
 * Responds to unknown routes: a path of the contract with another method is 405 with `Allow`, any other path
 * 404.
 */
function replyNotFound(
  allowed: readonly AllowedMethods[],
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const [path = ''] = request.url.split('?')
  const allow = allowed.find(({ pattern }) => pattern.test(path))?.allow
  // An allowed method arrives here when a parameter is too long for the router: nothing has such a name.
  const isOffered = allow?.split(', ').includes(request.method)
  if (allow === undefined || isOffered) return replyWithError(notFound('route'), request, reply)
  const body = { error: `${request.method} is not possible here; use ${allow}.` }
  const { status, body: sent } = inProtocol(request.url, { status: 405, headers: {}, body }, null)
  return reply.code(status).header('allow', allow).send(sent)
}

function replyWithError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal = isBodyTooLarge(error) ? bodyTooLarge(request) : toRefusal(error)
  const { body, headers, status } = describeFailure(request.log, { error, refusal }, request)
  return reply.code(status).headers(headers).send(body)
}
