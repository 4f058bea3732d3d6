/**
 * The headers of caching of every snapshot. No shared cache may keep one: caches that ignore `Vary` would
 * give the flags of one key to another. The client sends the `ETag` that it has.
 */
export const SNAPSHOT_CACHING = {
  'cache-control': 'private, no-cache',
  vary: 'accept-encoding, authorization',
} as const
