import type { Endpoint } from '../endpoint.ts'
import type { ResponseObject } from './document.ts'
import { IS_JUDGED, SECURITY_OF } from './security.ts'
import { schemaReference } from './to-json-schema.ts'

const JSON_ERROR = { 'application/json': { schema: schemaReference('ErrorBody') } }
const RETRY_AFTER = {
  'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer', minimum: 1 } },
}

const error = (description: string): ResponseObject => ({ description, content: JSON_ERROR })

/** The errors that the document names, with their statuses (specification, "Errors"; contract, section 3). */
const ERRORS = {
  400: { name: 'Malformed', response: error('The request cannot be read, such as a body that is no JSON') },
  401: { name: 'Unauthenticated', response: error('No credential, or one that is invalid or revoked') },
  403: {
    name: 'Forbidden',
    response: error('The role or key does not allow this, or X-Flagservice-Request is missing'),
  },
  404: { name: 'NotFound', response: error('There is nothing at this path') },
  409: { name: 'Conflict', response: error('It clashes with what is there, such as a name in use') },
  412: { name: 'Stale', response: error('If-Match names a revision that is not the current one') },
  413: { name: 'TooLarge', response: error('The body is too large') },
  415: { name: 'UnsupportedMediaType', response: error('The body is in another content type than JSON') },
  422: { name: 'Invalid', response: error('The input does not fit; `details` names every problem') },
  429: {
    name: 'TooMany',
    response: {
      ...error('Too many attempts; `retry_after_seconds` says when to try again'),
      headers: RETRY_AFTER,
    },
  },
  503: {
    name: 'Unavailable',
    response: { ...error('Overloaded, or the database is away: try again'), headers: RETRY_AFTER },
  },
} as const satisfies Record<number, { name: string; response: ResponseObject }>
export type ErrorStatus = keyof typeof ERRORS

export const ERROR_RESPONSES: Readonly<Record<string, ResponseObject>> = Object.fromEntries(
  Object.values(ERRORS).map(({ name, response }) => [name, response]),
)

export const errorReference = (status: ErrorStatus) => ({
  $ref: `#/components/responses/${ERRORS[status].name}`,
})

/** The errors that an endpoint's access, path and input imply, and those it declares of its own; in order of status. */
export function errorStatuses(endpoint: Endpoint): ErrorStatus[] {
  const { access, body, errors = [], method, params, path, query, tag } = endpoint
  const by_session = SECURITY_OF[access].includes('session')
  const implied: Record<ErrorStatus, boolean> = {
    400: body !== undefined,
    401: access !== 'public',
    403: IS_JUDGED[access] || (by_session && method !== 'GET'),
    404: params !== undefined || path.includes(':'),
    409: false,
    412: false,
    413: body !== undefined,
    415: body !== undefined,
    422: body !== undefined || query !== undefined,
    429: access === 'setup_token',
    503: access !== 'public' || tag !== 'System',
  }
  const statuses = Object.keys(implied).map(Number) as ErrorStatus[]
  return statuses.filter((status) => implied[status] || errors.includes(status))
}
