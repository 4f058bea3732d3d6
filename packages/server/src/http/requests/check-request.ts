import type { Endpoint } from '@burgee/contract'
import type { FastifyRequest } from 'fastify'
import { type Actor, KEYS_MAY_NOT_MANAGE } from '../../kernel/actor.ts'
import { assertNever } from '../../kernel/assert-never.ts'
import { forbidden, notFound, type Refusal, tooMany } from '../../kernel/refusal.ts'
import type { ProjectScope } from '../../kernel/scope.ts'
import type { Clock } from '../../platform/clock.ts'
import type { PathParams } from '../../platform/composition.ts'
import type { Connections } from '../sockets/create-connections.ts'
import { authenticate, bearerOf, type CredentialLookups } from './authenticate.ts'
import {
  type ActorAccess,
  hasAccess,
  isKeptFromManaging,
  isTokenAccess,
  type TokenAccess,
} from './authorize.ts'
import { clientAddress, clientNetwork } from './client-address.ts'
import { CSRF_HEADER, isByCookie, requireCsrfHeader, requireOwnOrigin } from './csrf.ts'
import { requireEnrolled } from './enrollment.ts'
import { environmentInQuery } from './environment-in-query.ts'
import { nounOf } from './nouns.ts'
import { projectInQuery } from './project-in-query.ts'
import { findReadOnlyRefusal } from './read-only-token.ts'
import { findStaleLogin } from './recent-login.ts'
import { refuseAccess } from './refuse-access.ts'
import type { RequestLimits } from './request-limits.ts'
import { requireAddressed, resolveScope, type ScopeLookups } from './resolve-scope.ts'
import type { Check, Validators } from './validators.ts'

export interface CheckDeps {
  readonly clock: Clock
  readonly credentials: CredentialLookups
  readonly scopes: ScopeLookups
  readonly validators: Validators
  readonly limits: RequestLimits
  /** A counter that grows with each change of rights that this instance receives. */
  readonly rights: { generation(): number }
  /** The address of the server for users; null when the Host header decides. */
  readonly publicUrl: string | null
  readonly connections: Pick<Connections, 'acceptCredential'>
}

/** The result of a request's checks, kept until its handler runs. */
export interface Checked {
  readonly actor: Actor | null
  readonly scope: ProjectScope | null
  /** The time of the check, and the state of rights at that time. */
  readonly atMs: number
  readonly rightsGeneration: number
  /** True once the handler runs. Later refusals are its own. */
  isHandled: boolean
}

/** The time for which a check is valid. A change of rights that this instance receives ends it at once. */
const CHECK_VALID_MS = 1_000

const NOT_CHECKED = { actor: null, scope: null }

/** Authenticates and authorizes a request: the first half of the order of checks (docs/reference/api.md). */
export async function checkRequest(
  deps: CheckDeps,
  endpoint: Endpoint,
  request: FastifyRequest,
  fitsParams: Check | undefined,
): Promise<Checked> {
  const { access } = endpoint
  // Taken before the look-ups: what changes meanwhile is checked once more.
  const moment = momentOf(deps)
  if (isTokenAccess(access)) {
    if (access === 'public' && endpoint.method !== 'GET') refuseForeignPage(deps, request)
    await admitBearer(deps.credentials, access, request)
    if (access !== 'public') deps.connections.acceptCredential(request.raw)
    return { ...NOT_CHECKED, isHandled: false, ...moment }
  }
  const actor = await identify(deps, access, request)
  request.actor = actor
  deps.connections.acceptCredential(request.raw)
  requireWithinLimit(deps.limits, endpoint, actor)
  requireCsrfHeader(actor, endpoint.method, header(request, CSRF_HEADER))
  if (isByCookie(actor) && endpoint.method !== 'GET') refuseForeignPage(deps, request)
  const params: PathParams = Object(request.params)
  requireEnrolled(endpoint, actor)
  const misfit = findMisfit(endpoint, params, fitsParams)
  if (misfit !== null) throw notFound(nounOf(misfit, endpoint.addresses))
  const project = projectInQuery(endpoint, request, actor)
  const scope = await resolveAndAuthorize(deps, endpoint, project?.access ?? access, {
    actor,
    params: { ...params, ...environmentInQuery(endpoint, request, actor), ...project?.params },
  })
  return { actor, scope, isHandled: false, ...moment }
}

/** Refuses requests of other sites, for writes with a cookie and for signing in, which sets one. */
function refuseForeignPage({ publicUrl }: CheckDeps, request: FastifyRequest): void {
  const publicHost = publicUrl === null ? undefined : new URL(publicUrl).host
  requireOwnOrigin({
    fetchSite: header(request, 'sec-fetch-site'),
    origin: header(request, 'origin'),
    ownHosts: [request.headers.host, request.host, publicHost],
  })
}

const READING_FLAGS: readonly ActorAccess[] = ['open_stream', 'read_snapshot', 'evaluate', 'open_events']

function identify(deps: CheckDeps, access: ActorAccess, request: FastifyRequest): Promise<Actor> {
  const { authorization, cookie } = request.headers
  const query: PathParams = Object(request.query)
  return authenticate(deps.credentials, {
    authorization,
    cookie,
    sdk_key: access === 'open_stream' && typeof query.sdk_key === 'string' ? query.sdk_key : undefined,
    api_key: access === 'evaluate' || access === 'open_events' ? header(request, 'x-api-key') : undefined,
    ticket: access === 'open_events' && typeof query.ticket === 'string' ? query.ticket : undefined,
    purpose: READING_FLAGS.includes(access) ? 'read_flags' : 'anything',
    address: () => clientAddress(request),
    network: () => clientNetwork(request),
  })
}

/** Resolves what the path names. Refuses when the actor may not do this there. */
async function resolveAndAuthorize(
  deps: CheckDeps,
  endpoint: Endpoint,
  access: ActorAccess,
  { actor, params }: { readonly actor: Actor; readonly params: PathParams },
): Promise<ProjectScope | null> {
  const scope = await resolveScope(deps.scopes, params, actor)
  const refusal = findRefusal({ ...endpoint, access }, actor, scope) ?? findStaleLogin(deps, endpoint, actor)
  if (!refusal) return scope
  await requireAddressed(deps.scopes, endpoint, { scope, params, actor })
  throw refusal
}

/**
 * Returns whether the check of a request is still valid. It is not when a body arrived late: revocations take
 * effect immediately (docs/reference/access.md).
 */
export function isConfirmed(
  { clock, rights }: CheckDeps,
  { method }: Endpoint,
  { checked }: FastifyRequest,
): boolean {
  // A body is awaited also when the endpoint has none.
  if (method === 'GET' || !checked?.actor) return true
  const isRecent = clock.monotonicMs() - checked.atMs < CHECK_VALID_MS
  return isRecent && rights.generation() === checked.rightsGeneration
}

/** Repeats the check of a request. */
export async function repeatCheck(
  deps: CheckDeps,
  endpoint: Endpoint,
  request: FastifyRequest,
): Promise<void> {
  const { checked } = request
  const { access } = endpoint
  if (!checked || isTokenAccess(access)) return
  const now = momentOf(deps)
  // The check is not valid any more. A caller who may not know that a thing exists must not learn it from the
  // next refusal.
  request.checked = undefined
  const actor = await identify(deps, access, request)
  requireEnrolled(endpoint, actor)
  const scope = await resolveAndAuthorize(deps, endpoint, access, {
    actor,
    params: { ...Object(request.params), ...environmentInQuery(endpoint, request, actor) },
  })
  request.checked = { ...checked, ...now, actor, scope }
}

const momentOf = ({ clock, rights }: CheckDeps) => ({
  atMs: clock.monotonicMs(),
  rightsGeneration: rights.generation(),
})

/**
 * Applies the rate limit before anything is looked up, so that excess requests are cheap (docs/settings.md).
 */
function requireWithinLimit(limits: RequestLimits, { ingest = false }: Endpoint, actor: Actor): void {
  const retry_after_seconds = limits.take(actor, ingest ? 'ingest' : 'other')
  if (retry_after_seconds !== null) throw tooMany('Too many requests. Try again later.', retry_after_seconds)
}

async function admitBearer(
  credentials: CredentialLookups,
  access: TokenAccess,
  request: FastifyRequest,
): Promise<void> {
  const { headers } = request
  switch (access) {
    case 'public':
      return
    case 'setup_token':
      return credentials.admitSetup(bearerOf(headers.authorization), clientAddress(request))
    case 'metrics_token':
      return credentials.admitMetrics(bearerOf(headers.authorization))
    default:
      assertNever(access)
  }
}

/**
 * Finds the first parameter of the path that cannot be valid; null when there is none. Numeric ids have
 * digits only: `1e1`, `+12` and `0x10` are not ids, although a validator reads them as numbers.
 */
function findMisfit(endpoint: Endpoint, params: PathParams, fitsParams: Check | undefined): string | null {
  const schemas: Readonly<Record<string, { type?: unknown }>> = endpoint.params?.properties ?? {}
  // In the order of the path: the first parameter is looked up first.
  const names = Object.keys(schemas)
  const odd = names.find((name) => schemas[name]?.type === 'integer' && !PLAIN_ID.test(String(params[name])))
  if (!fitsParams || fitsParams(params)) return odd ?? null
  const wrong = new Set((fitsParams.errors ?? []).map(({ instancePath }) => instancePath.slice(1)))
  return names.find((name) => wrong.has(name) || name === odd) ?? names[0] ?? ''
}
const PLAIN_ID = /^[1-9][0-9]*$/

function findRefusal(
  endpoint: Pick<Endpoint, 'method' | 'changesNothing'> & { readonly access: ActorAccess },
  actor: Actor,
  scope: ProjectScope | null,
): Refusal | null {
  const { access, method } = endpoint
  if (!hasAccess(access, actor, scope)) {
    return isKeptFromManaging(access, actor, scope)
      ? forbidden(KEYS_MAY_NOT_MANAGE)
      : refuseAccess(access, actor, scope)
  }
  if (access === 'account' && method !== 'GET' && actor.kind === 'user' && actor.isServiceAccount) {
    return forbidden(
      'A service account has no login, and does not change itself or create tokens. A workspace admin does.',
    )
  }
  return findReadOnlyRefusal(endpoint, actor)
}

function header(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name]
  return Array.isArray(value) ? value[0] : value
}
