import type { FastifyError } from 'fastify'
import { invalid, notFound, Refusal, unavailable } from '../../kernel/refusal.ts'
import { isDatabaseNotWritable, isDatabaseUnavailable } from '../../platform/db/database-unavailable.ts'
import { toProblems } from '../requests/validators.ts'

const BODY_TOO_LARGE = 'FST_ERR_CTP_BODY_TOO_LARGE'

/** Converts an error to a refusal; null for an internal error, which the caller must not see. */
export function toRefusal(error: unknown): Refusal | null {
  if (error instanceof Refusal) return error
  if (isDatabaseNotWritable(error)) {
    return unavailable(
      'The database cannot store anything right now: it is read-only, or its disk is full. Nothing was changed. Try again later.',
    )
  }
  if (isDatabaseUnavailable(error)) {
    return unavailable('The database is not reachable right now. Try again in a moment.')
  }
  return isFastifyError(error) ? fromFramework(error) : null
}

function fromFramework(error: FastifyError): Refusal | null {
  if (error.validation) return invalid(toProblems(error.validation))
  switch (error.code) {
    case BODY_TOO_LARGE:
      return new Refusal('too_large', 'The body is too large. Send a shorter one.')
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new Refusal('unsupported_media_type', 'Send the body as application/json.')
    case 'FST_ERR_BAD_URL':
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return notFound('route')
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new Refusal('malformed', 'The length of the body differs from Content-Length.')
    default:
      return error.statusCode !== undefined && error.statusCode < 500
        ? new Refusal('malformed', 'The request could not be read.')
        : null
  }
}

/** Its text needs the request: see `bodyTooLarge`. */
export const isBodyTooLarge = (error: unknown): boolean =>
  isFastifyError(error) && error.code === BODY_TOO_LARGE

const isFastifyError = (error: unknown): error is FastifyError =>
  error instanceof Error && 'code' in error && typeof error.code === 'string'
