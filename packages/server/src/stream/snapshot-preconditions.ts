/** If-None-Match (RFC 9110, section 13.1.2): weak comparison with any tag of the list. */
export function matchesEtag(if_none_match: string | undefined, etag: string): boolean {
  if (if_none_match === undefined) return false
  if (if_none_match === etag) return true
  return if_none_match.split(',').some((tag) => ['*', etag, `W/${etag}`].includes(tag.trim()))
}

/** Accept-Encoding (RFC 9110, section 12.5.3): gzip named with a weight above 0, or `*` where gzip is not named. */
export function acceptsGzip(accept_encoding: string | undefined): boolean {
  if (accept_encoding === undefined) return false
  // What clients send almost always: names without weights.
  if (/^[a-z, ]*gzip[a-z, ]*$/.test(accept_encoding)) return true
  const weights = new Map(
    accept_encoding.split(',').map((entry) => {
      const [coding = '', ...parameters] = entry
        .toLowerCase()
        .split(';')
        .map((part) => part.trim())
      const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
      return [coding, weight === undefined ? 1 : Number(weight)]
    }),
  )
  return (weights.get('gzip') ?? weights.get('*') ?? 0) > 0
}
