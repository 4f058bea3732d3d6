import { errorCode } from './error-code.ts'

/** Drivers hang their connection and the rows that a constraint refused on their errors; neither belongs in a log. */
export function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const code = errorCode(error)
  const cause = error.cause === undefined ? undefined : describeError(error.cause)
  return { type: error.name, message: error.message, code: code ?? undefined, stack: error.stack, cause }
}
