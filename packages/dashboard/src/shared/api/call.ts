import { routes } from 'virtual:contract-endpoints'
import {
  type EndpointBody,
  type EndpointInput,
  type EndpointName,
  type EndpointReply,
  type ErrorReason,
  isObject,
} from '@burgee/contract'
import { commentRequest } from '../comments/comment-request.ts'
import { requestOverride } from '../overrides/override-request.ts'
import { ApiError, messageOf, violationsOf } from './api-error.ts'
import { BASE_PATH } from './base-path.ts'
import { confirmIdentity } from './confirm-identity.ts'
import { readToEnd } from './join-pages.ts'
import { markStale, readStale } from './read-stale.ts'
import { sessionExpiry } from './session-signals.ts'
import { type ReadingEndpoint, STALE } from './stale-lists.ts'

export interface CallOptions {
  readonly signal?: AbortSignal
  /** The revision that a write is based on; a stale one is refused with 412 (docs/reference/flags.md). */
  readonly ifMatch?: number | undefined
  /** Refused with 412 where there is one already. */
  readonly isNew?: boolean
  /** Sends the request instead of the browser's own `fetch`: it may report what is sent. */
  readonly fetch?: (url: string, init: CallInit) => Promise<Response>
  /** Sent instead of the session: the setup token. */
  readonly bearer?: string
  /**
   * The reason: part of the body, or of the query of a deletion. The person is asked where it is missing and
   * required.
   */
  readonly comment?: string | undefined
  /** Why invariants that block are overridden; audited. The person is asked where it is missing. */
  readonly overrideReason?: string | undefined
  /** True if the caller handles a refusal by invariants itself: the person is not asked to override them. */
  readonly handlesViolations?: boolean
  /** True if the caller handles a 401 itself: the page does not ask to sign in again. */
  readonly expectsExpiry?: boolean
}

export interface SendOptions<N extends EndpointName> extends CallOptions {
  /**
   * Runs before stale lists are read again: stores the response in the cache, or leaves the page of what is
   * gone.
   */
  readonly settle?: (reply: Reply<N>) => unknown
}

/** The options of `fetch` that a call uses. */
export interface CallInit {
  readonly method: string
  readonly credentials: 'same-origin'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly signal?: AbortSignal
}

/** The options of a write that a person explains. */
export type Explained = Pick<CallOptions, 'comment' | 'overrideReason'>

type Values = Readonly<Record<string, unknown>>
/** Every input, for the code below that looks at none of its types. */
interface AnyInput {
  readonly params?: Values | undefined
  readonly query?: Values | undefined
  readonly body?: unknown
}

export type Reply<N extends EndpointName> = EndpointReply<N> & {
  readonly next: string | undefined
  /** When the response was computed, where the server keeps it. */
  readonly computedAt: string | undefined
}

/**
 * Calls an endpoint of the contract by its name and gives status and body of its success. Everything else is
 * thrown as an `ApiError`; a 401 also reports to the page that its session has ended. The lists that a write
 * makes stale (`STALE`) are marked, and those that pages show are read again in the background.
 */
export async function send<N extends EndpointName>(
  name: N,
  input: EndpointInput<N>,
  options: SendOptions<N> = {},
): Promise<Reply<N>> {
  const reply = await sendExplained(name, input, options)
  const stale = staleAfter(name, input)
  if (stale.length > 0) {
    markStale(stale, writtenEnvironment(input))
    // The write is stored, whatever becomes of the page.
    try {
      await options.settle?.(reply)
    } finally {
      void readStale()
    }
  }
  return reply
}

/** Returns the lists that a write makes stale: none for a read, and for a write that is only tried. */
function staleAfter<N extends EndpointName>(name: N, input: EndpointInput<N>): readonly ReadingEndpoint[] {
  const { body } = input as AnyInput
  if (isObject(body) && body.dry_run === true) return []
  const table: Readonly<Partial<Record<EndpointName, readonly ReadingEndpoint[]>>> = STALE
  return table[name] ?? []
}

/** A promotion names the environment that it writes in its body. */
function writtenEnvironment(input: unknown): string | undefined {
  const { body, params } = input as AnyInput
  const env_id = (isObject(body) ? body.target_env_id : undefined) ?? params?.env_id
  return typeof env_id === 'string' ? env_id : undefined
}

/**
 * A write that is refused for its missing comment, or by an invariant, is sent again with what the person
 * gives: the comment, or the reason. What is refused because the login is too old is sent again once the
 * person has confirmed who they are.
 */
async function sendExplained<N extends EndpointName>(
  name: N,
  input: EndpointInput<N>,
  options: CallOptions,
): Promise<Reply<N>> {
  let given = options
  for (;;) {
    try {
      return await sendConfirmed(name, withComment(name, input, given.comment), given)
    } catch (error) {
      const missing = await askForMissing(error, given, (input as AnyInput).params?.env_id)
      if (missing === null) throw error
      given = { ...given, ...missing }
    }
  }
}

/** Requests what a refused write needs; null where nothing is missing, or the person does not give it. */
async function askForMissing(error: unknown, given: CallOptions, env_id: unknown): Promise<Explained | null> {
  if (given.comment === undefined && needsComment(error)) {
    const comment = await commentRequest.request(messageOf(error))
    return comment === null ? null : { comment }
  }
  if (given.overrideReason !== undefined || given.handlesViolations) return null
  const environment_id = typeof env_id === 'string' ? env_id : undefined
  const overrideReason = await requestOverride(violationsOf(error), environment_id)
  return overrideReason === null ? null : { overrideReason }
}

const needsComment = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 422 && error.details.some(({ path }) => path === '/comment')

async function sendConfirmed<N extends EndpointName>(
  name: N,
  input: EndpointInput<N>,
  options: CallOptions,
): Promise<Reply<N>> {
  try {
    return await sendOnce(name, input, options)
  } catch (error) {
    if (!needsRecentLogin(error) || !(await confirmIdentity())) throw error
    return sendOnce(name, input, options)
  }
}

const needsRecentLogin = (error: unknown): boolean =>
  error instanceof ApiError && error.body.reason === ('reauthentication_required' satisfies ErrorReason)

/** The one place where a comment enters a request. */
function withComment<N extends EndpointName>(
  name: N,
  input: EndpointInput<N>,
  comment: string | undefined,
): EndpointInput<N> {
  if (comment === undefined) return input
  const { body, query } = input as AnyInput
  return routes[name].method === 'DELETE'
    ? { ...input, query: { ...query, comment } }
    : { ...input, body: { ...(isObject(body) ? body : {}), comment } }
}

async function sendOnce<N extends EndpointName>(
  name: N,
  input: EndpointInput<N>,
  options: CallOptions,
): Promise<Reply<N>> {
  const { method, access } = routes[name]
  const { body } = input as AnyInput
  const response = await (options.fetch ?? fetch)(urlOf(name, input), {
    method,
    credentials: 'same-origin',
    headers: headersOf(body, options),
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(options.signal && { signal: options.signal }),
  }).catch((error: unknown) => {
    if (options.signal?.aborted) throw error
    throw new ApiError(0, { error: 'The server cannot be reached. Check your connection and try again.' })
  })
  const result = await readBody(response)
  const next = response.headers.get('x-next-cursor') ?? undefined
  const computedAt = response.headers.get('x-computed-at') ?? undefined
  // The contract states which body comes with which status.
  if (response.ok) return { status: response.status, body: result, next, computedAt } as Reply<N>
  const needsSession = access !== 'public' && access !== 'setup_token'
  if (response.status === 401 && needsSession && !options.expectsExpiry) sessionExpiry.announce()
  throw new ApiError(response.status, isObject(result) ? result : {})
}

/**
 * Calls an endpoint like `send`, where only the body matters. A write also waits until the lists that pages
 * show are fresh. A list that is requested without a limit is read to its end, or refused where that is too
 * much.
 */
export async function call<N extends EndpointName>(
  name: N,
  input: EndpointInput<N>,
  options: SendOptions<N> = {},
): Promise<EndpointBody<N>> {
  const first = await send(name, input, options)
  if (staleAfter(name, input).length > 0) await readStale()
  const { query } = input as AnyInput
  if (query?.limit !== undefined || query?.cursor !== undefined) return first.body
  return readToEnd<EndpointBody<N>>(first, (cursor) =>
    send(name, { ...input, query: { ...query, cursor } }, options),
  )
}

/** One page of a list, and the cursor of the next one. */
export async function callPage<N extends EndpointName>(
  name: N,
  input: EndpointInput<N>,
  options: CallOptions = {},
): Promise<Page<EndpointBody<N>>> {
  const { body, next } = await send(name, input, options)
  return { items: body, next }
}

export interface Page<Items> {
  readonly items: Items
  /** Undefined on the last page. */
  readonly next: string | undefined
}

/** The address of an endpoint, for links and downloads as well. */
export function urlOf<N extends EndpointName>(name: N, input: Omit<EndpointInput<N>, 'body'>): string {
  const { params = {}, query = {} } = input as AnyInput
  const path =
    BASE_PATH +
    routes[name].path.replace(/:(\w+)/g, (_match: string, key: string) =>
      encodeURIComponent(String(params[key])),
    )
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== '') search.set(key, String(value))
  }
  return search.size > 0 ? `${path}?${search}` : path
}

function headersOf(
  body: unknown,
  { bearer, ifMatch, isNew, overrideReason }: CallOptions,
): Record<string, string> {
  return {
    accept: 'application/json',
    'x-flagservice-request': 'true',
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(ifMatch !== undefined && { 'if-match': `"${ifMatch}"` }),
    ...(isNew && { 'if-none-match': '*' }),
    // Headers are ASCII.
    ...(overrideReason !== undefined && { 'x-override-invariants': encodeURIComponent(overrideReason) }),
    ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
  }
}

async function readBody(response: Response): Promise<unknown> {
  const text = await response.text()
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    // A proxy's page rather than a response of ours.
    return undefined
  }
}
