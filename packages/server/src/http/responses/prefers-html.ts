/**
 * Returns whether an Accept header prefers a page to JSON, as browsers do when they open an address. Of equal
 * preferences the named type wins, so a header with only wildcards, or none, is a program's.
 */
export function prefersHtml(accept: string | undefined): boolean {
  const ranges = (accept ?? '').toLowerCase().split(',').map(parseRange)
  const html = preferenceFor(ranges, 'text/html')
  const json = preferenceFor(ranges, 'application/json')
  if (html.quality !== json.quality) return html.quality > json.quality
  return html.quality > 0 && html.is_named && !json.is_named
}

interface Range {
  readonly type: string
  /** The quality, from 0 for "not acceptable" to 1. */
  readonly quality: number
}

function parseRange(text: string): Range {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim())
  const weight = parameters.find((parameter) => parameter.startsWith('q='))
  const quality = weight === undefined ? 1 : Number(weight.slice(2))
  return { type, quality: quality >= 0 && quality <= 1 ? quality : 0 }
}

/** Returns the preference for a type. The most specific range that covers it decides (RFC 9110, 12.5.1). */
function preferenceFor(ranges: readonly Range[], type: string): { quality: number; is_named: boolean } {
  const family = `${type.split('/')[0]}/*`
  const covering = [type, family, '*/*'].map((name) => ranges.find((range) => range.type === name))
  return {
    quality: covering.find((range) => range !== undefined)?.quality ?? 0,
    is_named: covering[0] !== undefined,
  }
}
