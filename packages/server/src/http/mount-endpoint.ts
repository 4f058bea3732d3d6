import type { Endpoint } from '@burgee/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Actor } from '../kernel/actor.ts'
import { type EndpointHandler, type EndpointRequest, HIJACKED } from '../kernel/endpoint-handler.ts'
import { forbidden, notFound, Refusal } from '../kernel/refusal.ts'
import type { ProjectScope } from '../kernel/scope.ts'
import { authenticate, bearerOf, type CredentialLookups } from './authenticate.ts'
import { ACCESS_RULES } from './authorize.ts'
import { allowAnyOrigin } from './cors.ts'
import { CSRF_HEADER, requireCsrfHeader } from './csrf.ts'
import { type PathParams, requireAddressed, resolveScope, type ScopeLookups } from './resolve-scope.ts'
import type { Validators } from './validators.ts'

export interface MountDeps {
  readonly credentials: CredentialLookups
  readonly scopes: ScopeLookups
  readonly validators: Validators
  /** Tests hand in a check of every answer against its declared schema. */
  readonly onReply?: (endpoint: Endpoint, status: number, body: unknown) => void
}

/** What the checks of a request have found, kept until its handler runs. */
interface Checked {
  readonly actor: Actor | null
  readonly scope: ProjectScope | null
  /** The handler has begun: what is refused from then on is its own word. */
  is_handled: boolean
}

const NOT_CHECKED = { actor: null, scope: null }

/**
 * Mounts one endpoint of the contract. The order of checks is the contract's (section 3): authentication 401, CSRF 403,
 * the addressed thing exists 404, access 403, and only then the body is read: size 413, content 422.
 */
export function mountEndpoint<E extends Endpoint>(
  app: FastifyInstance,
  deps: MountDeps,
  endpoint: E,
  handler: EndpointHandler<E>,
): void {
  const fitsParams = endpoint.params && deps.validators.query(endpoint.params)
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    // HEAD must not open a stream.
    exposeHeadRoute: endpoint.produces !== 'text/event-stream',
    ...(endpoint.body_max_bytes !== undefined && { bodyLimit: endpoint.body_max_bytes }),
    schema: {
      ...(endpoint.query && { querystring: endpoint.query }),
      ...(endpoint.body && { body: endpoint.body }),
    },
    onRequest: async (request, reply) => {
      if (endpoint.cors) allowAnyOrigin(reply)
      const checked = await check(deps, endpoint, request, fitsParams)
      request.checked = checked
    },
    preValidation: async (request) => prepareBody(endpoint, request),
    errorHandler: async (error, request) => {
      const { is_handled, scope } = request.checked ?? { is_handled: true, scope: null }
      if (!is_handled) await requireAddressed(deps.scopes, endpoint, scope, request.params as PathParams)
      throw error
    },
    handler: async (request, reply) => {
      if (request.checked) request.checked.is_handled = true
      const answer = await handler(toEndpointRequest(endpoint, request, reply))
      if (answer === HIJACKED) return reply
      if ('bytes' in answer) return reply.code(answer.status).headers(answer.headers).send(answer.bytes)
      deps.onReply?.(endpoint, answer.status, answer.body)
      return send(reply, answer)
    },
  })
}

async function check(
  deps: MountDeps,
  endpoint: Endpoint,
  request: FastifyRequest,
  fitsParams: ((params: unknown) => boolean) | undefined,
): Promise<Checked> {
  const { authorization, cookie } = request.headers
  if (endpoint.access === 'setup_token')
    await deps.credentials.admitSetup(bearerOf(authorization), request.ip)
  if (endpoint.access === 'public' || endpoint.access === 'setup_token')
    return { ...NOT_CHECKED, is_handled: false }
  const query = request.query as PathParams
  const actor = await authenticate(deps.credentials, {
    authorization,
    cookie,
    sdk_key:
      endpoint.access === 'open_stream' && typeof query.sdk_key === 'string' ? query.sdk_key : undefined,
    purpose:
      endpoint.access === 'open_stream' || endpoint.access === 'read_snapshot' ? 'read_flags' : 'anything',
  })
  requireCsrfHeader(actor, endpoint.method, header(request, CSRF_HEADER))
  const params = request.params as PathParams
  if (!hasPlainIds(endpoint, params) || (fitsParams && !fitsParams(params)))
    throw notFound(endpoint.tag.toLowerCase())
  const scope = await resolveScope(deps.scopes, params, actor)
  const refusal = findRefusal(endpoint, actor, scope)
  if (refusal) {
    await requireAddressed(deps.scopes, endpoint, scope, params)
    throw refusal
  }
  return { actor, scope, is_handled: false }
}

/** Number ids are written plainly: `1e1`, `+12` and `0x10` are no ids, though a validator reads them as numbers. */
function hasPlainIds(endpoint: Endpoint, params: PathParams): boolean {
  const schemas: Readonly<Record<string, { type?: unknown }>> = endpoint.params?.properties ?? {}
  return Object.entries(schemas).every(
    ([name, { type }]) => type !== 'integer' || PLAIN_ID.test(String(params[name])),
  )
}
const PLAIN_ID = /^[1-9][0-9]*$/

function findRefusal(endpoint: Endpoint, actor: Actor, scope: ProjectScope | null): Refusal | null {
  if (endpoint.access === 'public' || endpoint.access === 'setup_token') return null
  if (!ACCESS_RULES[endpoint.access](actor, scope)) return forbidden('Your role or key does not allow this.')
  const read_only =
    actor.kind === 'user' && actor.credential.kind === 'token' && actor.credential.scope === 'read_only'
  return read_only && endpoint.method !== 'GET'
    ? forbidden('A read_only token cannot change anything.')
    : null
}

/** Batch size before content; an optional body that is missing is `{}`; a body nobody asked for is not looked at. */
function prepareBody(endpoint: Endpoint, request: FastifyRequest): void {
  const { body } = request
  if (endpoint.batch_max !== undefined && Array.isArray(body) && body.length > endpoint.batch_max) {
    throw new Refusal('too_large', `Send at most ${endpoint.batch_max} items at once.`)
  }
  if (body === undefined && endpoint.body_optional) request.body = {}
}

function toEndpointRequest<E extends Endpoint>(
  endpoint: E,
  request: FastifyRequest,
  reply: FastifyReply,
): EndpointRequest<E> {
  const { actor, scope } = request.checked ?? NOT_CHECKED
  // The compiler cannot see that access, scope and schemas were checked above; this is the one place that says so.
  return {
    actor,
    scope,
    params: request.params,
    query: request.query,
    body: endpoint.body ? request.body : undefined,
    headers: request.headers,
    request_id: request.id,
    // Asking a socket for its address is a call to the kernel, and few endpoints want it.
    get address() {
      return request.ip
    },
    raw: { request: request.raw, response: reply.raw, hijack: () => void reply.hijack() },
  } as unknown as EndpointRequest<E>
}

function send(
  reply: FastifyReply,
  answer: { status: number; body: unknown; headers?: Readonly<Record<string, string | readonly string[]>> },
): FastifyReply {
  reply.code(answer.status)
  for (const [name, value] of Object.entries(answer.headers ?? {})) reply.header(name, value)
  if (answer.body === null) return reply.send()
  return reply.header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(answer.body))
}

function header(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name]
  return Array.isArray(value) ? value[0] : value
}

declare module 'fastify' {
  interface FastifyRequest {
    checked: Checked | undefined
  }
}
