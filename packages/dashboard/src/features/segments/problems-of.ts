import { ApiError } from '../../shared/api/api-error.ts'
import { asSentence } from '../../shared/api/plain-text.ts'

/** The problems that the server found, by JSON pointer, to be shown at the fields. */
export const problemsOf = (error: unknown): Record<string, string> =>
  error instanceof ApiError
    ? Object.fromEntries(error.details.map(({ path, message }) => [path, asSentence(message)]))
    : {}
