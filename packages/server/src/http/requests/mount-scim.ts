import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  errorBody,
  SCIM_BODY_MAX_BYTES,
  type Scim,
  ScimRefused,
  type ScimReply,
} from '../../identity/scim/index.ts'
import { userAgentOf } from '../../platform/user-agent.ts'
import { bodyTooLarge } from '../bodies/body-too-large.ts'
import { takeTurnFor } from '../bodies/parse-body.ts'
import { statusOf } from '../responses/error-reply.ts'
import { isBodyTooLarge, toRefusal } from '../responses/to-refusal.ts'
import type { Connections } from '../sockets/create-connections.ts'
import { bearerOf } from './authenticate.ts'
import { clientAddress, clientNetwork } from './client-address.ts'

export interface ScimMountDeps {
  readonly scim: Scim
  readonly connections: Pick<Connections, 'acceptCredential'>
}

const ROOT = '/scim/v2'
const MEDIA_TYPE = 'application/scim+json; charset=utf-8'

/**
 * Mounts SCIM below `/scim/v2`. Its paths, errors and media type are those of RFC 7644, which identity
 * providers know, so they are no endpoints of the contract.
 */
export async function mountScim(app: FastifyInstance, { connections, scim }: ScimMountDeps): Promise<void> {
  for (const url of [ROOT, `${ROOT}/*`]) {
    app.route({
      method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
      url,
      config: { isScim: true },
      exposeHeadRoute: false,
      bodyLimit: SCIM_BODY_MAX_BYTES,
      // Before the body is read.
      onRequest: async (request) => {
        await scim.admit(bearerOf(request.headers.authorization), clientNetwork(request))
        connections.acceptCredential(request.raw)
      },
      errorHandler: (error, request, reply) => sendError(error, request, reply),
      handler: async (request, reply) => {
        await takeTurnFor(request)
        return send(reply, await scim.respond(toScimRequest(request)))
      },
    })
  }
}

function toScimRequest(request: FastifyRequest) {
  const { '*': path = '' }: { '*'?: string } = Object(request.params)
  return {
    method: request.method,
    path: path.split('/').filter((segment) => segment !== ''),
    query: readQuery(request.query),
    body: request.body,
    requestId: request.id,
    address: clientAddress(request),
    userAgent: userAgentOf(request.headers),
  }
}

/** Returns the parameters by their names in lower case. Of one that is given twice the last one counts. */
function readQuery(query: unknown): ReadonlyMap<string, string> {
  const entries = Object.entries(Object(query)).flatMap(([name, value]) => {
    const text: unknown = Array.isArray(value) ? value.at(-1) : value
    return typeof text === 'string' ? [[name.toLowerCase(), text] as const] : []
  })
  return new Map(entries)
}

function send(reply: FastifyReply, { body, location, status }: ScimReply): FastifyReply {
  reply.code(status).header('cache-control', 'no-store')
  if (location !== undefined) reply.header('location', location)
  return body === null ? reply.send() : reply.header('content-type', MEDIA_TYPE).send(JSON.stringify(body))
}

function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof ScimRefused) {
    if (error.status === 401) reply.header('www-authenticate', 'Bearer')
    if (error.status === 429) reply.header('retry-after', '60')
    return send(reply, { status: error.status, body: errorBody(error.status, error.message, error.scimType) })
  }
  const refusal = isBodyTooLarge(error) ? bodyTooLarge(request) : toRefusal(error)
  if (!refusal) {
    request.log.error({ err: error, request_id: request.id }, 'a request of SCIM failed')
    const detail = `Something went wrong on the server (request ${request.id}).`
    return send(reply, { status: 500, body: errorBody(500, detail) })
  }
  const { retry_after_seconds } = refusal.extras
  if (retry_after_seconds !== undefined) reply.header('retry-after', String(retry_after_seconds))
  // A body that is no valid JSON for us is no valid request for SCIM: RFC 7644 knows no 422.
  const status = refusal.kind === 'invalid' ? 400 : statusOf(refusal)
  const scimType = refusal.kind === 'invalid' || refusal.kind === 'malformed' ? 'invalidSyntax' : null
  return send(reply, { status, body: errorBody(status, refusal.message, scimType) })
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** True for routes of SCIM, whose bodies have its media type. */
    isScim?: boolean
  }
}
