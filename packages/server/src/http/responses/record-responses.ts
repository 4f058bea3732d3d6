import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Actor } from '../../kernel/actor.ts'
import type { Log } from '../../platform/log/log.ts'
import { redactUrl } from '../../platform/log/redact-url.ts'
import type { Metrics } from '../../platform/metrics/metrics.ts'
import { clientAddress } from '../requests/client-address.ts'

export const REQUEST_ID_HEADER = 'x-request-id'

/** The route in measurements of unknown paths, so that a caller's paths do not become labels. */
const UNKNOWN_ROUTE = 'unknown'
const FILES_ROUTE = 'files'
const METHODS: readonly string[] = ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS']
const READS: readonly string[] = ['GET', 'HEAD', 'OPTIONS']

/**
 * The status for a caller that closed the connection before the response. Proxies log it for the same case;
 * no response has it.
 */
const HUNG_UP = 499

/** Statuses of attempts whose sender an operator may have to block: a refused credential, and too many. */
const WITH_ADDRESS: readonly number[] = [401, 429]

const BUCKETS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const MS_PER_SECOND = 1000

export type ObserveResponse = (
  labels: { readonly method: string; readonly endpoint: string; readonly status: string },
  seconds: number,
) => void

/**
 * Measures the duration of requests by endpoint, which is a path of the contract and never one that a caller
 * invented.
 */
export const measureResponses = (metrics: Metrics): ObserveResponse =>
  metrics.histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the first byte of a request until its response was sent; for a stream, until its bootstrap was.',
    labels: ['method', 'endpoint', 'status'],
    buckets: BUCKETS_S,
  })

/** Records a response, once for each request, whichever caller is first. */
export type RecordResponse = (request: FastifyRequest, reply: FastifyReply) => void

/**
 * Adds the request id to every response, and records one measurement and at most one log line for each
 * request.
 */
export function recordResponses(
  app: FastifyInstance,
  { log, observe }: { readonly log: Log; readonly observe: ObserveResponse },
): RecordResponse {
  function record(request: FastifyRequest, reply: FastifyReply, status: number): void {
    if (request.is_recorded) return
    request.is_recorded = true
    const { method } = request
    const route = routeOf(request)
    observe(
      { method: METHODS.includes(method) ? method : 'other', endpoint: route, status: String(status) },
      reply.elapsedTime / MS_PER_SECOND,
    )
    const level = levelOf(request, status)
    if (!log.isLevelEnabled(level)) return
    const url = redactUrl(request.url)
    const took_ms = Math.round(reply.elapsedTime)
    // A URL that cannot be decoded is refused with a request that has no decorations.
    const actor = request.actor ?? null
    log[level](
      {
        ...{ method, route, url, status, took_ms, request_id: request.id, ...describeActor(actor) },
        ...(WITH_ADDRESS.includes(status) && { address: clientAddress(request) }),
      },
      'request completed',
    )
  }

  app.decorateRequest('actor', null)
  app.decorateRequest('is_recorded', false)
  app.addHook('onRequest', (request, reply, done) => {
    reply.header(REQUEST_ID_HEADER, request.id)
    // Emitted once.
    reply.raw.on('close', () => {
      if (!reply.raw.writableFinished) record(request, reply, HUNG_UP)
    })
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    record(request, reply, reply.statusCode)
    done()
  })
  return (request, reply) => record(request, reply, reply.statusCode)
}

function routeOf({ routeOptions: { url } }: FastifyRequest): string {
  if (url === undefined) return UNKNOWN_ROUTE
  return url === '/*' ? FILES_ROUTE : url
}

/** Returns the log level. Reads and reports arrive by the thousand; changes and errors are worth a line. */
function levelOf({ method, routeOptions }: FastifyRequest, status: number): 'debug' | 'info' | 'warn' {
  if (status >= 500) return 'warn'
  if (status >= 400) return 'info'
  const { ingest, protocol } = routeOptions.config.endpoint ?? {}
  return READS.includes(method) || ingest || protocol === 'ofrep' ? 'debug' : 'info'
}

function describeActor(actor: Actor | null | undefined): object | null {
  if (!actor) return null
  return actor.kind === 'user'
    ? { actor_kind: actor.kind, actor_id: actor.user_id, credential: actor.credential.kind }
    : { actor_kind: actor.kind, actor_id: actor.key_id }
}

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * The caller, once known. Null before that and when no authentication is needed; undefined when no route
     * matched.
     */
    actor: Actor | null | undefined
    is_recorded: boolean | undefined
  }
}
