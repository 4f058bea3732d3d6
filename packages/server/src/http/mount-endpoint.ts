import { Readable } from 'node:stream'
import type { Endpoint } from '@burgee/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Actor } from '../kernel/actor.ts'
import type { Lease } from '../kernel/lease.ts'
import type { Refusal } from '../kernel/refusal.ts'
import type { PathParams } from '../platform/composition.ts'
import { nextTurn, shareTurn } from '../platform/concurrency/turns.ts'
import {
  type EncodedReply,
  type EndpointHandler,
  type EndpointRequest,
  HIJACKED,
} from '../platform/replies/endpoint-handler.ts'
import { userAgentOf } from '../platform/user-agent.ts'
import { tooManyItems } from './bodies/too-many-items.ts'
import {
  type CheckDeps,
  type Checked,
  checkRequest,
  isConfirmed,
  repeatCheck,
} from './requests/check-request.ts'
import { clientAddress } from './requests/client-address.ts'
import { allowAnyOrigin } from './requests/cors.ts'
import { originOf } from './requests/origin-header.ts'
import { overrideOf } from './requests/override-header.ts'
import { type HasStoredText, requirePlainTexts } from './requests/plain-texts.ts'
import { requireDryRun } from './requests/read-only-token.ts'
import { requireRecentLogin } from './requests/recent-login.ts'
import { requireDeclaredAccess } from './requests/require-declared-access.ts'
import { requireAddressed } from './requests/resolve-scope.ts'
import { commentTaker } from './requests/take-comment.ts'
import { completeWarnings } from './responses/complete-warnings.ts'
import { holdLease } from './responses/hold-lease.ts'
import { pageList } from './responses/page-list.ts'
import type { RecordResponse } from './responses/record-responses.ts'
import type { Connections } from './sockets/create-connections.ts'

export interface MountDeps extends CheckDeps {
  readonly connections: Pick<Connections, 'acceptCredential' | 'takeSocket' | 'waitForTurn'>
  readonly hasStoredText: HasStoredText
  /** Called with every response. Tests pass a check against its declared schema. */
  readonly onReply?: (endpoint: Endpoint, status: number, body: unknown) => void
}

/**
 * Mounts one endpoint of the contract. The order of checks is that of docs/reference/api.md: authentication
 * 401, rate limit 429, CSRF 403, the addressed thing exists 404, access 403, and only then the body is read:
 * size 413, content 422.
 */
export function mountEndpoint<E extends Endpoint>(
  app: FastifyInstance,
  deps: MountDeps & { readonly record: RecordResponse },
  endpoint: E,
  handler: EndpointHandler<E>,
): void {
  requireDeclaredAccess(endpoint)
  const fitsParams = endpoint.params && deps.validators.query(endpoint.params)
  const toRequest = requestReader(deps, endpoint)
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    config: { endpoint },
    // HEAD must not open a stream.
    exposeHeadRoute: endpoint.produces !== 'text/event-stream',
    ...(endpoint.bodyMaxBytes !== undefined && { bodyLimit: endpoint.bodyMaxBytes }),
    schema: {
      ...(endpoint.query && { querystring: endpoint.query }),
      ...(endpoint.body && { body: endpoint.body }),
    },
    onRequest: async (request, reply) => {
      if (endpoint.cors) allowAnyOrigin(reply)
      const checked = await checkRequest(deps, endpoint, request, fitsParams)
      request.checked = checked
    },
    preValidation: (request, _reply, done) => done(prepareBody(endpoint, request)),
    errorHandler: async (error, request) => {
      const { checked } = request
      const params: PathParams = Object(request.params)
      if (checked && !checked.isHandled) await requireAddressed(deps.scopes, endpoint, { ...checked, params })
      throw error
    },
    handler: async (request, reply) => {
      if (request.hasLargeBody) await nextTurn()
      if (!isConfirmed(deps, endpoint, request)) await repeatCheck(deps, endpoint, request)
      if (request.checked) {
        const sent = { actor: request.checked.actor, body: request.body }
        requireRecentLogin(deps, endpoint, sent)
        requireDryRun(endpoint, sent)
        if (endpoint.method === 'PATCH')
          await requirePlainTexts(deps.hasStoredText, endpoint, { ...sent, params: Object(request.params) })
      }
      if (request.checked) request.checked.isHandled = true
      const response = await handler(toRequest(request, reply))
      if (response === HIJACKED) {
        deps.record(request, reply)
        return reply
      }
      if ('bytes' in response) {
        if (deps.onReply && isPlainJson(response))
          deps.onReply(endpoint, response.status, JSON.parse(String(response.bytes)))
        return sendEncoded(request, reply, response)
      }
      if (response.body === null) {
        deps.onReply?.(endpoint, response.status, null)
        return send(reply, response)
      }
      await shareTurn()
      const completed = completeWarnings(endpoint, request.body, response)
      const paged = await pageList(endpoint, request.query, completed)
      deps.onReply?.(endpoint, paged.status, paged.body)
      return send(reply, paged)
    },
  })
}

/**
 * Prepares the body: the batch size is checked before the content, a missing optional body is `{}`, and an
 * undeclared body is ignored.
 */
function prepareBody(endpoint: Endpoint, request: FastifyRequest): Refusal | undefined {
  const { body } = request
  if (endpoint.batchMax !== undefined && Array.isArray(body) && body.length > endpoint.batchMax)
    return tooManyItems(endpoint, body.length)
  if (body === undefined && endpoint.bodyOptional) request.body = {}
  return undefined
}

/** Creates the function that gives a handler its request. */
function requestReader<E extends Endpoint>({ connections }: MountDeps, endpoint: E) {
  // Reports are not in the audit log.
  const isAudited = endpoint.method !== 'GET' && endpoint.ingest !== true
  const takeComment = commentTaker(endpoint)

  function actorOf(actor: Actor | null, request: FastifyRequest, comment: string | undefined): Actor | null {
    if (!actor || !isAudited) return actor
    return { ...actor, ...describeRequest(request), ...(comment && { comment }) }
  }

  return (request: FastifyRequest, reply: FastifyReply): EndpointRequest<E> => {
    const { actor, scope } = request.checked ?? { actor: null, scope: null }
    const { body, comment } = takeComment(request.body, request.query)
    // Access, scope and schemas were checked above, which the compiler cannot know. This is the only place
    // that asserts it.
    return {
      actor: actorOf(actor, request, comment),
      scope,
      params: request.params,
      query: request.query,
      body: endpoint.body ? body : undefined,
      headers: request.headers,
      request_id: request.id,
      // Reading the address of a socket is a system call, and few endpoints need it.
      get address() {
        return clientAddress(request)
      },
      raw: {
        request: request.raw,
        request_id: request.id,
        waitForTurn: () => connections.waitForTurn(reply.raw),
        takeSocket() {
          reply.hijack()
          return connections.takeSocket(request.raw, reply.raw)
        },
      },
    } as unknown as EndpointRequest<E>
  }
}

/** Returns what the audit log keeps of a request, with its id. */
function describeRequest(request: FastifyRequest) {
  const origin = originOf(request.headers)
  const override = overrideOf(request.headers)
  const userAgent = userAgentOf(request.headers)
  return {
    request_id: request.id,
    address: clientAddress(request),
    ...(userAgent !== undefined && { user_agent: userAgent }),
    ...(origin && { origin }),
    ...(override && { override }),
  }
}

const isPlainJson = ({ bytes, headers }: EncodedReply): boolean =>
  Buffer.isBuffer(bytes) &&
  String(headers['content-type']).startsWith('application/json') &&
  headers['content-encoding'] === undefined

/** Sends an encoded response. A HEAD response has no body, so nothing is read for it. */
function sendEncoded(
  request: FastifyRequest,
  reply: FastifyReply,
  { bytes, headers, lease, status }: EncodedReply,
): FastifyReply {
  if (lease) {
    holdLease(reply, lease, bytes instanceof Readable ? null : bytes.length)
    request.lease = lease
  }
  reply.code(status)
  for (const [name, value] of Object.entries(headers)) reply.header(name, value)
  if (request.method !== 'HEAD' || typeof bytes === 'string' || Buffer.isBuffer(bytes))
    return reply.send(bytes)
  bytes.destroy()
  // A stream, so that the headers are those of GET: without a length, and without an added charset.
  return reply.send(Readable.from([]))
}

function send(
  reply: FastifyReply,
  response: {
    readonly status: number
    readonly body: unknown
    readonly headers?: Readonly<Record<string, string | readonly string[]>>
    /** The body as it is sent, where it was encoded in pieces. */
    readonly bytes?: Buffer
  },
): FastifyReply {
  reply.code(response.status)
  for (const [name, value] of Object.entries(response.headers ?? {})) reply.header(name, value)
  if (response.body === null) return reply.send()
  return reply
    .header('content-type', 'application/json; charset=utf-8')
    .send(response.bytes ?? JSON.stringify(response.body))
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The endpoint, when the route is one of the contract's. */
    endpoint?: Endpoint
  }
  interface FastifyRequest {
    checked: Checked | undefined
    /** The lease of a large response's memory. */
    lease: Lease | undefined
  }
}
