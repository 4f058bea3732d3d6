import type { KeyKind } from '../kernel/actor.ts'

/** Returns the `Cache-Control` of a snapshot for a kind of key. */
export type CacheControlOf = (kind: KeyKind) => string

const FOR_ONE_CLIENT = 'private, no-cache'

/**
 * Creates the rule of caching. With `clientSeconds`, shared caches may serve snapshots of client keys for
 * that long, because these are public anyway. Browsers always ask the cache.
 */
export function createCacheControl(clientSeconds: number): CacheControlOf {
  const shared = `public, max-age=0, s-maxage=${clientSeconds}`
  return (kind) => (kind === 'client' && clientSeconds > 0 ? shared : FOR_ONE_CLIENT)
}
