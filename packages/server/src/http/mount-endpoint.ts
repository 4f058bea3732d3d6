import { Readable } from 'node:stream'
import type { Endpoint } from '@burgee/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  type EncodedReply,
  type EndpointHandler,
  type EndpointRequest,
  HIJACKED,
} from '../kernel/endpoint-handler.ts'
import type { Lease } from '../kernel/lease.ts'
import { shareTurn } from '../platform/turns.ts'
import { type CheckDeps, type Checked, checkRequest, confirmCheck } from './check-request.ts'
import { clientAddress } from './client-address.ts'
import type { Connections } from './connections/create-connections.ts'
import { allowAnyOrigin } from './cors.ts'
import { holdLease } from './hold-lease.ts'
import { pageAnswer } from './page-answer.ts'
import { takeTurnFor } from './parse-body.ts'
import type { RecordAnswer } from './record-answers.ts'
import { requireDeclaredAccess } from './require-declared-access.ts'
import { type PathParams, requireAddressed } from './resolve-scope.ts'
import { tooManyItems } from './too-many-items.ts'

export interface MountDeps extends CheckDeps {
  readonly connections: Pick<Connections, 'takeSocket' | 'waitForTurn'>
  /** Tests hand in a check of every answer against its declared schema. */
  readonly onReply?: (endpoint: Endpoint, status: number, body: unknown) => void
}

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
    preValidation: async (request) => prepareBody(endpoint, request),
    errorHandler: async (error, request) => {
      const { checked } = request
      const params = request.params as PathParams
      if (checked && !checked.isHandled) await requireAddressed(deps.scopes, endpoint, { ...checked, params })
      throw error
    },
    handler: async (request, reply) => {
      await takeTurnFor(request)
      await confirmCheck(deps, endpoint, request)
      if (request.checked) request.checked.isHandled = true
      const answer = await handler(toEndpointRequest(deps, endpoint, request, reply))
      if (answer === HIJACKED) {
        deps.record(request, reply)
        return reply
      }
      if ('bytes' in answer) {
        if (deps.onReply && isPlainJson(answer))
          deps.onReply(endpoint, answer.status, JSON.parse(String(answer.bytes)))
        return sendEncoded(request, reply, answer)
      }
      await shareTurn()
      const paged = pageAnswer(endpoint, request.query, answer)
      deps.onReply?.(endpoint, paged.status, paged.body)
      return send(reply, paged)
    },
  })
}

/** Batch size before content; an optional body that is missing is `{}`; a body nobody asked for is not looked at. */
function prepareBody(endpoint: Endpoint, request: FastifyRequest): void {
  const { body } = request
  if (endpoint.batchMax !== undefined && Array.isArray(body) && body.length > endpoint.batchMax) {
    throw tooManyItems(endpoint)
  }
  if (body === undefined && endpoint.bodyOptional) request.body = {}
}

function toEndpointRequest<E extends Endpoint>(
  { connections }: MountDeps,
  endpoint: E,
  request: FastifyRequest,
  reply: FastifyReply,
): EndpointRequest<E> {
  const { actor, scope } = request.checked ?? { actor: null, scope: null }
  // The compiler cannot see that access, scope and schemas were checked above; this is the one place that says so.
  return {
    // What is written is audited with the request that it was written for.
    actor:
      actor && endpoint.method !== 'GET'
        ? { ...actor, request_id: request.id, address: clientAddress(request) }
        : actor,
    scope,
    params: request.params,
    query: request.query,
    body: endpoint.body ? request.body : undefined,
    headers: request.headers,
    request_id: request.id,
    // Asking a socket for its address is a call to the kernel, and few endpoints want it.
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

const isPlainJson = ({ bytes, headers }: EncodedReply): boolean =>
  Buffer.isBuffer(bytes) &&
  headers['content-type']?.startsWith('application/json') === true &&
  headers['content-encoding'] === undefined

/** What is answered to HEAD has no body: nothing is read for it. */
function sendEncoded(
  request: FastifyRequest,
  reply: FastifyReply,
  { bytes, headers, lease, status }: EncodedReply,
): FastifyReply {
  if (lease) {
    holdLease(reply, lease, Buffer.isBuffer(bytes) ? bytes.length : 0)
    request.lease = lease
  }
  reply.code(status).headers(headers)
  if (request.method !== 'HEAD' || typeof bytes === 'string' || Buffer.isBuffer(bytes))
    return reply.send(bytes)
  bytes.destroy()
  // As a stream, so that the headers are those of GET: no length is known, and no charset added.
  return reply.send(Readable.from([]))
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

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Where the route is one of the contract's. */
    endpoint?: Endpoint
  }
  interface FastifyRequest {
    checked: Checked | undefined
    /** The memory of the answer, where that is much. */
    lease: Lease | undefined
  }
}
