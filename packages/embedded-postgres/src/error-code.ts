/** The `code` of a system or PostgreSQL error (`ENOENT`, `57P01`, ...), or null when it has none. */
export function errorCode(error: unknown): string | null {
  if (typeof error !== 'object' || error === null || !('code' in error)) return null
  return typeof error.code === 'string' ? error.code : null
}
