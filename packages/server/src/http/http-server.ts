import { randomUUID } from 'node:crypto'
import { BODY_MAX_BYTES, type Endpoint, type endpoints, type Method } from '@burgee/contract'
import helmet from '@fastify/helmet'
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
  LogController,
} from 'fastify'
import type { EndpointHandler, EndpointHandlers } from '../kernel/endpoint-handler.ts'
import { notFound } from '../kernel/refusal.ts'
import type { Log } from '../platform/log.ts'
import { redactUrl } from '../platform/redact-url.ts'
import { mountPreflight } from './cors.ts'
import { errorReply } from './error-reply.ts'
import { type MountDeps, mountEndpoint } from './mount-endpoint.ts'
import { readBodies } from './parse-body.ts'
import { toRefusal } from './to-refusal.ts'

/** A key of 100 characters, percent-encoded; anything longer is no route of ours. */
const PARAM_MAX_LENGTH = 300
const METHODS: readonly Method[] = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE']

export interface HttpServerDeps extends MountDeps {
  readonly log: Log
  /** Whose forwarded address is believed: a number is how many proxies there are. */
  readonly trust_proxy: boolean | number | string[]
}

/** Every endpoint of the contract, mounted: the compiler compares the two lists. */
export async function createHttpServer(
  deps: HttpServerDeps,
  all: typeof endpoints,
  handlers: EndpointHandlers<typeof endpoints>,
): Promise<FastifyInstance> {
  const { trust_proxy } = deps
  const loggerInstance: FastifyBaseLogger = deps.log
  const app = fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    trustProxy: typeof trust_proxy === 'number' ? (_address, hop) => hop < trust_proxy : trust_proxy,
    bodyLimit: BODY_MAX_BYTES,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: PARAM_MAX_LENGTH },
    frameworkErrors: (error, request, reply) => answerError(error, request, reply),
  })
  app.decorateRequest('checked', undefined)
  app.setValidatorCompiler(({ httpPart, schema }) =>
    httpPart === 'body' ? deps.validators.body(schema as object) : deps.validators.query(schema as object),
  )
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply))
  app.setNotFoundHandler((request, reply) => answerError(notFound('route'), request, reply))
  readBodies(app)
  await app.register(helmet, { contentSecurityPolicy: false, global: true })
  app.addHook('onResponse', async (request, reply) => {
    const { method, id } = request
    const took_ms = Math.round(reply.elapsedTime)
    request.log.debug(
      { method, url: redactUrl(request.url), status: reply.statusCode, took_ms, request_id: id },
      'answered',
    )
  })
  mountAll(app, deps, all, handlers)
  return app
}

function mountAll(
  app: FastifyInstance,
  deps: MountDeps,
  all: typeof endpoints,
  handlers: EndpointHandlers<typeof endpoints>,
): void {
  const by_path = new Map<string, Endpoint[]>()
  for (const [name, endpoint] of Object.entries<Endpoint>(all)) {
    // The parameter's type has paired each name's handler with its endpoint; the loop forgets which.
    const handler = handlers[name as keyof typeof handlers] as unknown as EndpointHandler<Endpoint>
    mountEndpoint(app, deps, endpoint, handler)
    by_path.set(endpoint.path, [...(by_path.get(endpoint.path) ?? []), endpoint])
  }
  for (const [path, mounted] of by_path) mountRest(app, path, mounted)
}

/** What a path does not offer: 405 with `Allow`; preflights where browsers of any origin may call. */
function mountRest(app: FastifyInstance, path: string, mounted: readonly Endpoint[]): void {
  const offered = mounted.map(({ method }) => method)
  const allow = [...offered, ...(offered.includes('GET') ? ['HEAD'] : [])].join(', ')
  const others = METHODS.filter((method) => !offered.includes(method))
  const preflight = mounted.some(({ cors }) => cors)
  if (preflight) mountPreflight(app, path, offered)
  app.route({
    method: preflight ? others : [...others, 'OPTIONS'],
    url: path,
    onRequest: async (_request, reply) =>
      reply
        .code(405)
        .header('allow', allow)
        .send({ error: `Use ${allow} here.` }),
    handler: async () => undefined,
  })
}

function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal = toRefusal(error)
  if (!refusal) {
    request.log.error({ err: error, request_id: request.id }, 'a request failed')
    return reply.code(500).send({ error: `Something went wrong on the server (request ${request.id}).` })
  }
  const { body, headers, status } = errorReply(refusal)
  return reply.code(status).headers(headers).send(body)
}
