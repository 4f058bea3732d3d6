import { readFileSync } from 'node:fs'
import { createMcpServer, type ToolApi } from '@burgee/mcp'
import type { AuthInfo } from '@modelcontextprotocol/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { unauthenticated } from '../../kernel/refusal.ts'
import { packageFile } from '../../platform/package-file.ts'
import { takeTurnFor } from '../bodies/parse-body.ts'
import { authenticate, bearerOf } from '../requests/authenticate.ts'
import type { CheckDeps } from '../requests/check-request.ts'
import { clientAddress, clientNetwork } from '../requests/client-address.ts'
import { requireOwnOrigin } from '../requests/csrf.ts'
import { createInjectApi } from './inject-api.ts'
import { requireOwnHost } from './require-own-host.ts'

export interface McpMountDeps extends Pick<CheckDeps, 'connections' | 'credentials' | 'publicUrl'> {
  /** Null while MCP is off. */
  readonly mcp: {
    /** The environments in which tools may write: `project/environment` by slug, or `environment`. */
    readonly environments: readonly string[]
  } | null
}

const PATH = '/mcp'
const BODY_MAX_BYTES = 256 * 1024
const TOKENS_ONLY =
  'MCP takes personal access tokens: send "Authorization: Bearer pat_..." with one that the dashboard made (Account, Tokens).'

/**
 * Mounts the tools for agents at `/mcp`. Its messages are those of the Model Context Protocol, so it is no
 * endpoint of the contract. The tools call endpoints with the token of the request.
 */
export async function mountMcp(app: FastifyInstance, deps: McpMountDeps): Promise<void> {
  const { mcp } = deps
  if (!mcp) return
  const { version }: { version: string } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8'))
  // Only servers with MCP load it.
  const sdk = await import('@modelcontextprotocol/server')
  const { environments } = mcp
  const handler = sdk.createMcpHandler(
    ({ authInfo }) =>
      createMcpServer({
        sdk,
        version,
        environments,
        mayWrite: environments.length > 0,
        api: apiOf(authInfo),
      }),
    // No tool sends anything before its result, and lists of tools do not change.
    { maxSubscriptions: 0, keepAliveMs: 0 },
  )
  app.route({
    method: 'POST',
    url: PATH,
    bodyLimit: BODY_MAX_BYTES,
    onRequest: (request) => admit(deps, request),
    handler: async (request, reply) => {
      await takeTurnFor(request)
      const { authorization = '' } = request.headers
      const api = createInjectApi(app, { authorization, address: clientAddress(request) })
      const response = await handler.fetch(toFetchRequest(request), {
        parsedBody: request.body,
        // The token itself stays here: the library only hands the client of the endpoints on.
        authInfo: { token: '', clientId: '', scopes: [], extra: { api } },
      })
      return send(reply, response)
    },
  })
  app.route({
    method: ['GET', 'DELETE'],
    url: PATH,
    exposeHeadRoute: false,
    handler: (request, reply) => {
      const error = `${request.method} is not possible here; use POST.`
      return reply.code(405).header('allow', 'POST').send({ error })
    },
  })
}

/** Returns the client that came with the request. */
function apiOf(given: AuthInfo | undefined): ToolApi {
  const { api } = given?.extra ?? {}
  if (!api) throw new Error('a request of MCP without a client of the endpoints')
  // `extra` is of unknown values; the route sets this one.
  return api as ToolApi
}

/** Checks a request before its body is read: where it comes from, and its token. */
async function admit(
  { connections, credentials, publicUrl }: McpMountDeps,
  request: FastifyRequest,
): Promise<void> {
  const { authorization, host, origin, 'sec-fetch-site': fetchSite } = request.headers
  requireOwnHost(host, publicUrl)
  const publicHost = publicUrl === null ? undefined : new URL(publicUrl).host
  const site = Array.isArray(fetchSite) ? fetchSite[0] : fetchSite
  requireOwnOrigin({ fetchSite: site, origin, ownHosts: [host, publicHost] })
  if (!bearerOf(authorization)?.startsWith('pat_')) throw unauthenticated(TOKENS_ONLY)
  await authenticate(credentials, {
    authorization,
    cookie: undefined,
    sdk_key: undefined,
    api_key: undefined,
    ticket: undefined,
    purpose: 'anything',
    address: () => clientAddress(request),
    network: () => clientNetwork(request),
  })
  connections.acceptCredential(request.raw)
}

/** The request for the handler, which compares headers of the protocol with the message. */
function toFetchRequest({ headers }: FastifyRequest): Request {
  const sent = new Headers()
  for (const [name, value] of Object.entries(headers))
    if (typeof value === 'string' && !HELD_BACK.has(name)) sent.set(name, value)
  return new Request(`http://localhost${PATH}`, { method: 'POST', headers: sent })
}
const HELD_BACK = new Set([
  'authorization',
  'cookie',
  'connection',
  'content-length',
  'host',
  'transfer-encoding',
])

/** Every exchange ends with its result, so the body is whole before it is sent. */
async function send(reply: FastifyReply, response: Response): Promise<FastifyReply> {
  const type = response.headers.get('content-type')
  reply.code(response.status).header('cache-control', 'no-store')
  if (type !== null) reply.header('content-type', type)
  const text = await response.text()
  return text === '' ? reply.send() : reply.send(text)
}
