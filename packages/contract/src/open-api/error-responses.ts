import type { Endpoint } from '../endpoint.ts'
import type { ErrorBody } from '../schemas/error.ts'
import { MANIFEST_FAILURE_EXAMPLE } from '../schemas/manifest.ts'
import { OFREP_FAILURE_EXAMPLE } from '../schemas/ofrep.ts'
import type { ResponseObject } from './document.ts'
import { headerReferences, type ReplyHeader } from './reply-headers.ts'
import { canBeForbidden, securityOf } from './security.ts'
import { schemaReference } from './to-json-schema.ts'

const error = (
  description: string,
  example: ErrorBody,
  headers: readonly ReplyHeader[] = [],
): ResponseObject => ({
  description,
  ...(headers.length > 0 && { headers: headerReferences(headers) }),
  content: { 'application/json': { schema: schemaReference('ErrorBody'), example } },
})

/** The errors that the document names, with their statuses (docs/reference/api.md#statuses). */
const ERRORS = {
  400: {
    name: 'Malformed',
    response: error('The request cannot be read, such as a body that is not JSON', {
      error: 'The body is not valid JSON in UTF-8.',
    }),
  },
  401: {
    name: 'Unauthenticated',
    response: error(
      'No credential, or one that is invalid or revoked',
      { error: 'Sign in, or send a valid SDK key or personal access token.' },
      ['WWW-Authenticate'],
    ),
  },
  403: {
    name: 'Forbidden',
    response: error('The role or key does not allow this, or X-Flagservice-Request is missing', {
      error: 'Your role or key does not allow this.',
    }),
  },
  404: {
    name: 'NotFound',
    response: error('There is nothing at this path', { error: 'No such flag.' }),
  },
  409: {
    name: 'Conflict',
    response: error('It conflicts with existing data, such as a name in use', {
      error: 'There is a segment "beta-testers" already.',
    }),
  },
  412: {
    name: 'Stale',
    response: error('If-Match has an outdated revision', {
      error: 'The flag was changed since you read it; its revision is now 43. Read it again.',
    }),
  },
  413: {
    name: 'TooLarge',
    response: error('The body is too large', { error: 'The body is too large.' }),
  },
  415: {
    name: 'UnsupportedMediaType',
    response: error('The content type of the body is not JSON', {
      error: 'Send the body as application/json.',
    }),
  },
  422: {
    name: 'Invalid',
    response: error('The input is invalid; `details` lists every problem', {
      error: '/rollout_percentage: must be <= 100',
      details: [{ path: '/rollout_percentage', message: 'must be <= 100' }],
    }),
  },
  429: {
    name: 'TooMany',
    response: error(
      'Too many attempts or requests; retry after `retry_after_seconds`',
      { error: 'Too many failed attempts. Try again later.', retry_after_seconds: 900 },
      ['Retry-After'],
    ),
  },
  503: {
    name: 'Unavailable',
    response: error(
      'Overloaded, or the database is unavailable: retry',
      { error: 'The database is not reachable right now. Try again in a moment.', retry_after_seconds: 1 },
      ['Retry-After'],
    ),
  },
} as const satisfies Record<number, { name: string; response: ResponseObject }>
export type ErrorStatus = keyof typeof ERRORS

export const ERROR_RESPONSES: Readonly<Record<string, ResponseObject>> = Object.fromEntries(
  Object.values(ERRORS).map(({ name, response }) => [name, response]),
)

/** A reference to the error of a status, with the endpoint's own description where it has one. */
export const errorReference = (
  status: ErrorStatus,
  { protocol, refusals }: Pick<Endpoint, 'protocol' | 'refusals'> = {},
) =>
  protocol !== undefined
    ? protocolError(protocol, status, refusals?.[status])
    : {
        $ref: `#/components/responses/${ERRORS[status].name}`,
        ...(refusals?.[status] !== undefined && { description: refusals[status] }),
      }

/** The errors of the protocols of others. */
const PROTOCOL_ERRORS = {
  ofrep: { name: 'OfrepFailure', example: OFREP_FAILURE_EXAMPLE },
  manifest: { name: 'ManifestFailure', example: MANIFEST_FAILURE_EXAMPLE },
} as const

/** The error of a status in the form that a protocol has for it. */
function protocolError(
  protocol: keyof typeof PROTOCOL_ERRORS,
  status: ErrorStatus,
  description?: string,
): ResponseObject {
  const { example, name } = PROTOCOL_ERRORS[protocol]
  return {
    description: description ?? ERRORS[status].response.description,
    content: { 'application/json': { schema: schemaReference(name), example } },
  }
}

/**
 * The error statuses that the access, path and input of an endpoint imply, and those it declares, in
 * ascending order.
 */
export function errorStatuses(endpoint: Endpoint): ErrorStatus[] {
  const { access, body, errors = [], method, params, path, protocol, query, tag } = endpoint
  const bySession = securityOf(access).includes('session')
  const implied: Record<ErrorStatus, boolean> = {
    400: body !== undefined || endpoint.environmentInQuery === true,
    401: access !== 'public',
    403: canBeForbidden(access) || (bySession && method !== 'GET'),
    404:
      params !== undefined ||
      path.includes(':') ||
      endpoint.environmentInQuery === true ||
      endpoint.accessInProject !== undefined,
    409: false,
    412: false,
    413: body !== undefined,
    415: body !== undefined,
    // The protocols of others have no 422: what is invalid is 400.
    422: protocol === undefined && (body !== undefined || query !== undefined),
    429: access !== 'public' && access !== 'metrics_token',
    503: access !== 'public' || tag !== 'System',
  }
  // The type of the table requires each error status as a key, and no others.
  const statuses = Object.keys(implied).map(Number) as ErrorStatus[]
  return statuses.filter((status) => implied[status] || errors.includes(status))
}
