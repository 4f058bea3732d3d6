const CORE = '(?:0|[1-9]\\d*)'
const IDENTIFIER = '(?:0|[1-9]\\d*|\\d*[A-Za-z-][0-9A-Za-z-]*)'
const BUILD = '(?:\\+[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?'
const FULL = new RegExp(
  `^[vV]?(${CORE})\\.(${CORE})\\.(${CORE})(?:-(${IDENTIFIER}(?:\\.${IDENTIFIER})*))?${BUILD}$`,
)
const PARTIAL = new RegExp(`^[vV]?(${CORE})(?:\\.(${CORE}))?$`)

/** Returns below, at or above 0 as semver.org, section 11, orders them; NaN when one is no version. */
export function compareVersions(left: string, right: string): number {
  const [one, other] = [read(left), read(right)]
  if (!one || !other) return Number.NaN
  for (const [index, number] of one.numbers.entries()) {
    const difference = number - (other.numbers[index] ?? 0n)
    if (difference !== 0n) return difference < 0n ? -1 : 1
  }
  if (!one.prerelease || !other.prerelease) return Number(!one.prerelease) - Number(!other.prerelease)
  for (const [index, identifier] of one.prerelease.entries()) {
    const against = other.prerelease[index]
    if (against === undefined) return 1
    const difference = compareIdentifiers(identifier, against)
    if (difference !== 0) return difference
  }
  return one.prerelease.length - other.prerelease.length
}

function read(text: string): { numbers: bigint[]; prerelease: string[] | null } | null {
  const [, major = '0', minor = '0', patch = '0', prerelease] = FULL.exec(text) ?? PARTIAL.exec(text) ?? []
  if (!FULL.test(text) && !PARTIAL.test(text)) return null
  return { numbers: [major, minor, patch].map(BigInt), prerelease: prerelease?.split('.') ?? null }
}

function compareIdentifiers(left: string, right: string): number {
  const [isNumber, isOtherNumber] = [/^\d+$/.test(left), /^\d+$/.test(right)]
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1
  if (isNumber) return Number(BigInt(left) - BigInt(right) > 0n) - Number(BigInt(left) - BigInt(right) < 0n)
  return left < right ? -1 : Number(left > right)
}
