const NUMBER = '(0|[1-9]\\d*)'
const IDENTIFIER = '(?:0|[1-9]\\d*|\\d*[a-z-][\\da-z-]*)'
const VERSION = new RegExp(
  `^v?${NUMBER}(?:\\.${NUMBER}(?:\\.${NUMBER}(?:-(${IDENTIFIER}(?:\\.${IDENTIFIER})*))?(?:\\+[\\da-z-]+(?:\\.[\\da-z-]+)*)?)?)?$`,
  'i',
)
/** The length of a number as text has this many digits, so that longer numbers come after shorter ones. */
const LENGTH_DIGITS = 9

/**
 * Returns a text that orders as the version does by SemVer 2.0.0 precedence, or NaN for what is no version.
 * `1` and `1.2` are versions too, without a suffix; a leading `v` and build metadata do not count.
 */
export function parseVersion(text: unknown): string | number {
  const found = VERSION.exec(String(text))
  if (!found) return Number.NaN
  const [, major, minor = '0', patch = '0', prerelease] = found
  const numbers = [major as string, minor, patch].map(sortKey).join('')
  // A release comes after its prereleases, a longer list of identifiers after its beginning.
  return numbers + (prerelease ? `${prerelease.split('.').map(sortKey).join('')}\0` : '~')
}

/** Numbers come before texts, texts order by ASCII. */
const sortKey = (identifier: string) =>
  /\D/.test(identifier)
    ? `\x02${identifier}\0`
    : `\x01${String(identifier.length).padStart(LENGTH_DIGITS, '0')}${identifier}`
