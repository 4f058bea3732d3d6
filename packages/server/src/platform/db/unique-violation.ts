import { errorCode } from '../log/error-code.ts'

const UNIQUE_VIOLATION = '23505'

/** Returns the name of the violated unique constraint; null for any other error. */
export function uniqueViolation(error: unknown): string | null {
  if (errorCode(error) !== UNIQUE_VIOLATION) return null
  if (typeof error !== 'object' || error === null || !('constraint' in error)) return null
  return typeof error.constraint === 'string' ? error.constraint : null
}
