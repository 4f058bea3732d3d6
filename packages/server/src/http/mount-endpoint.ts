import type { Access, Endpoint, Method } from '@burgee/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Actor } from '../kernel/actor.ts'
import { assertNever } from '../kernel/assert-never.ts'
import { type EndpointHandler, type EndpointRequest, HIJACKED } from '../kernel/endpoint-handler.ts'
import { forbidden, notFound, Refusal, tooMany } from '../kernel/refusal.ts'
import type { ProjectScope } from '../kernel/scope.ts'
import { authenticate, bearerOf, type CredentialLookups } from './authenticate.ts'
import { ACCESS_RULES, type ActorAccess, type TokenAccess } from './authorize.ts'
import { allowAnyOrigin } from './cors.ts'
import { CSRF_HEADER, requireCsrfHeader } from './csrf.ts'
import type { RecordAnswer } from './record-answers.ts'
import type { RequestLimits } from './request-limits.ts'
import { requireDeclaredAccess } from './require-declared-access.ts'
import { type PathParams, requireAddressed, resolveScope, type ScopeLookups } from './resolve-scope.ts'
import type { Validators } from './validators.ts'

export interface MountDeps {
  readonly credentials: CredentialLookups
  readonly scopes: ScopeLookups
  readonly validators: Validators
  readonly limits: RequestLimits
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
 * Mounts one endpoint of the contract. The order of checks is the contract's (section 3): authentication 401, rate limit 429, CSRF 403,
 * the addressed thing exists 404, access 403, and only then the body is read: size 413, content 422.
 */
export function mountEndpoint<E extends Endpoint>(
  app: FastifyInstance,
  deps: MountDeps & { readonly record: RecordAnswer },
  endpoint: E,
  handler: EndpointHandler<E>,
): void {
  requireDeclaredAccess(endpoint)
  const fitsParams = endpoint.params && deps.validators.query(endpoint.params)
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    config: { endpoint },
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
      const { checked } = request
      const params = request.params as PathParams
      if (checked && !checked.is_handled)
        await requireAddressed(deps.scopes, endpoint, { ...checked, params })
      throw error
    },
    handler: async (request, reply) => {
      if (request.checked) request.checked.is_handled = true
      const answer = await handler(toEndpointRequest(endpoint, request, reply))
      if (answer === HIJACKED) {
        deps.record(request, reply)
        return reply
      }
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
  const { access } = endpoint
  if (isTokenAccess(access)) {
    await admitBearer(deps.credentials, access, request)
    return { ...NOT_CHECKED, is_handled: false }
  }
  const query = request.query as PathParams
  const actor = await authenticate(deps.credentials, {
    authorization,
    cookie,
    sdk_key: access === 'open_stream' && typeof query.sdk_key === 'string' ? query.sdk_key : undefined,
    purpose: access === 'open_stream' || access === 'read_snapshot' ? 'read_flags' : 'anything',
  })
  request.actor = actor
  requireWithinLimit(deps.limits, endpoint, actor)
  requireCsrfHeader(actor, endpoint.method, header(request, CSRF_HEADER))
  const params = request.params as PathParams
  if (!hasPlainIds(endpoint, params) || (fitsParams && !fitsParams(params)))
    throw notFound(endpoint.tag.toLowerCase())
  const scope = await resolveScope(deps.scopes, params, actor)
  const refusal = findRefusal({ access, method: endpoint.method }, actor, scope)
  if (refusal) {
    await requireAddressed(deps.scopes, endpoint, { scope, params, actor })
    throw refusal
  }
  return { actor, scope, is_handled: false }
}

/** Before anything is looked up: a caller who sends too much shall cost little (contract, section 12). */
function requireWithinLimit(limits: RequestLimits, { ingest = false }: Endpoint, actor: Actor): void {
  const retry_after_seconds = limits.take(actor, ingest ? 'ingest' : 'other')
  if (retry_after_seconds !== null) throw tooMany('Too many requests. Try again later.', retry_after_seconds)
}

const isTokenAccess = (access: Access): access is TokenAccess => !Object.hasOwn(ACCESS_RULES, access)

async function admitBearer(
  credentials: CredentialLookups,
  access: TokenAccess,
  { headers, ip }: FastifyRequest,
): Promise<void> {
  switch (access) {
    case 'public':
      return
    case 'setup_token':
      return credentials.admitSetup(bearerOf(headers.authorization), ip)
    case 'metrics_token':
      return credentials.admitMetrics(bearerOf(headers.authorization))
    default:
      assertNever(access)
  }
}

/** Number ids are written plainly: `1e1`, `+12` and `0x10` are no ids, though a validator reads them as numbers. */
function hasPlainIds(endpoint: Endpoint, params: PathParams): boolean {
  const schemas: Readonly<Record<string, { type?: unknown }>> = endpoint.params?.properties ?? {}
  return Object.entries(schemas).every(
    ([name, { type }]) => type !== 'integer' || PLAIN_ID.test(String(params[name])),
  )
}
const PLAIN_ID = /^[1-9][0-9]*$/

function findRefusal(
  { access, method }: { readonly access: ActorAccess; readonly method: Method },
  actor: Actor,
  scope: ProjectScope | null,
): Refusal | null {
  if (!ACCESS_RULES[access](actor, scope)) return forbidden('Your role or key does not allow this.')
  const read_only =
    actor.kind === 'user' && actor.credential.kind === 'token' && actor.credential.scope === 'read_only'
  return read_only && method !== 'GET' ? forbidden('A read_only token cannot change anything.') : null
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
    // What is written is audited with the request that it was written for.
    actor: actor && endpoint.method !== 'GET' ? { ...actor, request_id: request.id } : actor,
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
    raw: {
      request: request.raw,
      response: reply.raw,
      request_id: request.id,
      hijack: () => void reply.hijack(),
    },
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
  interface FastifyContextConfig {
    /** Where the route is one of the contract's. */
    endpoint?: Endpoint
  }
  interface FastifyRequest {
    checked: Checked | undefined
  }
}
