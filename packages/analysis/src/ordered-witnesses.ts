import { parseVersion } from '@burgee/evaluation'

const RELEASE_PARTS = 3

/** Returns numbers at every boundary, between each two of them, and outside of all. */
export function numberWitnesses(boundaries: readonly number[]): string[] {
  const sorted = [...new Set(boundaries.filter(Number.isFinite))].sort((one, other) => one - other)
  const first = sorted[0]
  const last = sorted.at(-1)
  if (first === undefined || last === undefined) return []
  const between = sorted.slice(1).map((next, index) => (sorted[index] as number) / 2 + next / 2)
  const outside = [first - 1 - Math.abs(first), last + 1 + Math.abs(last)].map((value) =>
    Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, value)),
  )
  // Blanks around a number do not count, but make it another text.
  return [...sorted, ...between, ...outside].flatMap((value) => [String(value), ` ${value}`, `  ${value}`])
}

/** Returns versions at every boundary, the next one after each, and the least of all. */
export function versionWitnesses(boundaries: readonly string[]): string[] {
  const valid = boundaries.filter((text) => typeof parseVersion(text) === 'string').map(completed)
  if (valid.length === 0) return []
  // Build metadata does not count, but makes it another text.
  return ['0.0.0-0', ...valid.flatMap((version) => [version, successor(version)])].flatMap((version) => [
    version,
    `${version}+b`,
    `${version}+burgee`,
  ])
}

/** A version with three numbers, without metadata and prefix. */
function completed(text: string): string {
  const [version = ''] = text.replace(/^v/i, '').split('+')
  const at = version.indexOf('-')
  const release = at < 0 ? version : version.slice(0, at)
  const parts = release.split('.')
  while (parts.length < RELEASE_PARTS) parts.push('0')
  return parts.join('.') + (at < 0 ? '' : version.slice(at))
}

/** The least version after this one: no version is between the two. */
function successor(version: string): string {
  if (version.includes('-')) return `${version}.0`
  const parts = version.split('.')
  return [...parts.slice(0, -1), `${BigInt(parts.at(-1) ?? 0) + 1n}-0`].join('.')
}
