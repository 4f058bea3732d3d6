import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { LocalEnvironment } from '@burgee/server/offline'
import { CommandError } from '../command-error.ts'
import { openStream } from './open-stream.ts'
import { readBody } from './read-body.ts'

/** A running server of flags. */
export interface FlagServer {
  /** Its address, such as `http://localhost:3000`. */
  readonly url: string
  close(): Promise<void>
}

interface Exchange {
  readonly environment: LocalEnvironment
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** The groups of the route's path. */
  readonly groups: readonly string[]
}

type Handler = (exchange: Exchange) => void | Promise<void>

const EVALUATION_MAX_BYTES = 1024 * 1024
const REPORT_MAX_BYTES = 8 * 1024 * 1024
/** More than the programs of one machine open. Further connections are closed. */
const CONNECTIONS_MAX = 500
const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' }
/** SDKs in browsers call from any page, as they may call a Burgee server. */
const CORS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'etag, x-environment-id, retry-after, date',
}
const PREFLIGHT = {
  'access-control-allow-methods': 'GET, POST',
  'access-control-allow-headers':
    'authorization, content-type, if-none-match, x-api-key, cache-control, last-event-id, x-burgee-client',
  'access-control-max-age': '7200',
}

/** The endpoints that SDKs and providers of OFREP call. Reports are read and not kept. */
const ROUTES: readonly (readonly [method: string, path: RegExp, handler: Handler])[] = [
  ['GET', /^\/stream$/, ({ environment, response }) => openStream(response, bootstrapOf(environment))],
  ['GET', /^\/flags\/snapshot$/, sendSnapshot],
  ['POST', /^\/api\/environments\/[^/]+\/(?:impressions|events)$/, takeReport],
  ['POST', /^\/sdk\/ack$/, takeReport],
  ['POST', /^\/ofrep\/v1\/evaluate\/flags(?:\/([^/]+))?$/, evaluate],
  ['GET', /^\/ofrep\/v1\/events$/, openEvents],
  ['GET', /^\/(?:health|ready)$/, ({ response }) => void response.end('OK')],
]

/** Serves an environment on an address. Port 0 takes a free one. Any SDK key is accepted, and none too. */
export async function serveFlags(
  environment: LocalEnvironment,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<FlagServer> {
  const server = createServer((request, response) => {
    respond(environment, request, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500, JSON_TYPE)
      response.end(JSON.stringify({ error: String(error) }))
    })
  })
  server.maxConnections = CONNECTIONS_MAX
  try {
    server.listen(port, host)
    await once(server, 'listening')
  } catch (error) {
    throw new CommandError(explainListening(error, host, port))
  }
  const { port: taken } = server.address() as AddressInfo
  const shown = host === '127.0.0.1' ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return {
    url: `http://${shown}:${taken}`,
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

function explainListening(error: unknown, host: string, port: number): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE')
    return `Port ${port} is in use, perhaps by a Burgee server. Choose another with --port; 0 takes a free one.`
  if (code === 'EACCES') return `This account may not use port ${port}. Choose one above 1023 with --port.`
  return `This machine has no address ${host} to listen on (${String(code)}). Choose another with --host.`
}

async function respond(
  environment: LocalEnvironment,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  for (const [name, value] of Object.entries(CORS)) response.setHeader(name, value)
  if (request.method === 'OPTIONS') {
    response.writeHead(204, PREFLIGHT).end()
    return
  }
  const path = (request.url ?? '/').split('?', 1)[0] ?? '/'
  for (const [method, pattern, handle] of ROUTES) {
    const found = request.method === method ? pattern.exec(path) : null
    if (found) return await handle({ environment, request, response, groups: found.slice(1) })
  }
  const error = `burgee dev has only what SDKs call. Ask a Burgee server for ${request.method} ${path}.`
  response.writeHead(404, JSON_TYPE).end(JSON.stringify({ error }))
}

const bootstrapOf = (environment: LocalEnvironment) => ({
  first: environment.bootstrap(),
  follow: environment.onUpdate,
  keepAlive: ': keep-alive\n\n',
})

function openEvents({ environment, request, response }: Exchange): void {
  const known = request.headers['last-event-id']
  const isBehind = known !== undefined && known !== String(environment.revision)
  const hint = Buffer.from('retry: 1000\n\n')
  openStream(response, {
    first: isBehind ? Buffer.concat([hint, environment.notice()]) : hint,
    follow: (send) => environment.onUpdate(() => send(environment.notice())),
    keepAlive: ': ka\n\n',
  })
}

async function sendSnapshot({ environment, request, response }: Exchange): Promise<void> {
  const { etag, length, pieces } = await environment.body()
  const headers = { etag, 'x-environment-id': environment.id, 'cache-control': 'no-cache' }
  if (request.headers['if-none-match'] === etag) {
    response.writeHead(304, headers).end()
    return
  }
  response.writeHead(200, { ...headers, ...JSON_TYPE, 'content-length': length })
  for await (const piece of pieces()) if (!response.write(piece)) await drained(response)
  response.end()
}

/** Resolves when a response takes more, or its reader has left. */
const drained = (response: ServerResponse): Promise<unknown> =>
  Promise.race([once(response, 'drain'), once(response, 'close')])

async function takeReport({ request, response }: Exchange): Promise<void> {
  const body = await readBody(request, REPORT_MAX_BYTES)
  if (body) response.writeHead(204).end()
  else refuseLarge(response, REPORT_MAX_BYTES)
}

async function evaluate({ environment, groups: [name], request, response }: Exchange): Promise<void> {
  const body = await readBody(request, EVALUATION_MAX_BYTES)
  if (!body) return refuseLarge(response, EVALUATION_MAX_BYTES)
  const ifNoneMatch = request.headers['if-none-match']
  const reply = await environment.evaluate({ key: decode(name), body, ifNoneMatch })
  const headers = { 'cache-control': 'private, no-cache', ...(reply.etag && { etag: reply.etag }) }
  response.writeHead(reply.status, reply.status === 304 ? headers : { ...headers, ...JSON_TYPE })
  response.end(reply.body)
}

/** Returns the key in a path; null without one. One that is badly encoded counts as written. */
function decode(name: string | undefined): string | null {
  if (name === undefined) return null
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

function refuseLarge(response: ServerResponse, maxBytes: number): void {
  const error = `The body is too large; at most ${maxBytes / 1024 / 1024} MiB.`
  response.writeHead(413, JSON_TYPE).end(JSON.stringify({ error }))
}
