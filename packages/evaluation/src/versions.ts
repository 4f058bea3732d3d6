const VERSION = /^v?(\d+)(?:\.(\d+)(?:\.(\d+)(?:-([\da-z.-]+))?(\+[\da-z.-]+)?)?)?$/i
const IDENTIFIER = /^(?:0|[1-9]\d*|\d*[a-z-][\da-z-]*)$/i
const NUMBER = /^\d+$/
/** The length of a number as text has this many digits, so that longer numbers come after shorter ones. */
const LENGTH_DIGITS = 9

/**
 * Returns a text that orders as the version does by SemVer 2.0.0 precedence, or NaN for what is no version.
 * `1` and `1.2` are versions too, without a suffix; a leading `v` and build metadata do not count.
 */
export function parseVersion(text: unknown): string | number {
  const [whole, major = '', minor = '0', patch = '0', prerelease, build = ''] =
    VERSION.exec(String(text)) ?? []
  const numbers = [major, minor, patch]
  const identifiers = prerelease?.split('.')
  const isValid =
    whole !== undefined &&
    numbers.every((number) => IDENTIFIER.test(number)) &&
    (identifiers ?? []).every((identifier) => IDENTIFIER.test(identifier)) &&
    build.split('.').every((identifier) => identifier !== '+' && (identifier || !build))
  if (!isValid) return Number.NaN
  // A release comes after its prereleases, a longer list of identifiers after its beginning.
  return numbers.map(sortKey).join('') + (identifiers ? `${identifiers.map(sortKey).join('')}\0` : '~')
}

/** Numbers come before texts, texts order by ASCII. */
const sortKey = (identifier: string) =>
  NUMBER.test(identifier)
    ? `\x01${String(identifier.length).padStart(LENGTH_DIGITS, '0')}${identifier}`
    : `\x02${identifier}\0`
