/** If-None-Match (RFC 9110, section 13.1.2): weak comparison with any tag of the list. */
export function matchesEtag(if_none_match: string | undefined, etag: string): boolean {
  if (if_none_match === undefined) return false
  if (if_none_match === etag) return true
  return if_none_match.split(',').some((tag) => ['*', etag, `W/${etag}`].includes(tag.trim()))
}
