/**
 * Returns whether Accept-Encoding (RFC 9110, section 12.5.3) allows gzip: gzip with a weight above 0, or `*`
 * without a gzip entry.
 */
export function acceptsGzip(acceptEncoding: string | undefined): boolean {
  if (acceptEncoding === undefined) return false
  // The usual header: names without weights.
  if (/^[a-z, ]*$/.test(acceptEncoding)) return acceptEncoding.includes('gzip')
  const weights = new Map(
    acceptEncoding.split(',').map((entry) => {
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
