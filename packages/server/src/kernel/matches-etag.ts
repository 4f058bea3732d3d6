/**
 * Returns whether If-None-Match (RFC 9110, section 13.1.2) has the tag, by weak comparison with any tag of
 * the list.
 */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch === etag) return true
  return ifNoneMatch.split(',').some((tag) => ['*', etag, `W/${etag}`].includes(tag.trim()))
}
