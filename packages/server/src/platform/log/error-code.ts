/**
 * Returns the `code` of a system, PostgreSQL or library error (`ENOENT`, `57P01`, ...); null when it has
 * none.
 */
export function errorCode(error: unknown): string | null {
  if (typeof error !== 'object' || error === null || !('code' in error)) return null
  return typeof error.code === 'string' ? error.code : null
}
